// The API's documentation: Swagger UI, from this host alone, of the service's own OpenAPI document.

SwaggerUIBundle({ url: "openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null });

"""What a browser gets: the page, its files, and the documentation, from this host alone."""

import re

from tests.service.api.helpers import Client, Serve

PAGES = ("/", "/docs")


async def test_the_pages_and_their_files_come_from_this_host(client: Client) -> None:
    for path in PAGES:
        page = await client.get(path)
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        links = re.findall(r'(?:href|src)="([^"#]+)"', page.text)
        assert links
        for link in links:
            assert "//" not in link
            assert (await client.get(f"/{link}")).status_code == 200, link
    style = await client.get("/static/page.css")
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    unchanged = await client.get("/static/page.css", headers={"if-none-match": style.headers["etag"]})
    assert unchanged.status_code == 304
    assert (await client.get("/static/swagger/swagger-ui-bundle.js")).headers["cache-control"] == "no-cache"


async def test_openapi_tells_which_routes_take_a_token(serve: Serve) -> None:
    for tokens, security in (("", [{}, {"bearer": []}]), ("a-token-of-the-test", [{"bearer": []}])):
        async with serve(tokens=tokens) as client:
            document = (await client.get("/openapi.json")).json()
        assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
        operations = [operation for methods in document["paths"].values() for operation in methods.values()]
        for operation in operations:
            assert operation.get("security") == (security if "401" in operation["responses"] else None)
        assert "security" not in document["paths"]["/health"]["get"]
        assert sum("security" in operation for operation in operations) == len(operations) - 1


async def test_openapi_explains_itself(client: Client) -> None:
    document = (await client.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], path
            assert operation["tags"]
            for status, answer in operation["responses"].items():
                if status >= "400":
                    (media_type,) = answer["content"]
                    assert media_type == "application/problem+json", (path, method, status)
                    assert ("headers" in answer) == (status in ("429", "503"))
    for name in (name for name in schemas if name.startswith("Body_")):
        for field, schema in schemas[name]["properties"].items():
            assert schema.get("description"), (name, field)
    references = set(re.findall(r'"#/components/schemas/(\w+)"', (await client.get("/openapi.json")).text))
    assert references <= set(schemas)
    assert list(document["paths"]["/export"]["post"]["responses"]["200"]["content"]) == ["text/x-prolog"]
    assert set(document["paths"]["/scenes/{id}/query"]["post"]["responses"]) == {
        "200", "400", "401", "404", "408", "413", "422", "429", "503", "504"
    }  # fmt: skip

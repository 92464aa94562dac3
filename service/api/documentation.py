"""The API's documentation as one plain page, made from the OpenAPI document: no script, no other host."""

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; font-size: 1.2rem; border-top: 1px solid #8886; padding-top: 1rem; }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8886; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid #8884; }
th { font-weight: 600; }
nav a { display: inline-block; margin-right: 1rem; }
"""
_METHODS = ("get", "post", "delete")


def document(openapi: dict[str, Any]) -> tuple[str, str]:
    """The page, and the content security policy that lets it have its style and nothing else."""
    return _written(json.dumps(openapi))


@lru_cache(1)
def _written(openapi: str) -> tuple[str, str]:
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return "\n".join(_page(json.loads(openapi))), policy


def _page(openapi: dict[str, Any]) -> Iterator[str]:
    title = escape(openapi["info"]["title"])
    operations = [
        (method, path, methods[method])
        for path, methods in openapi["paths"].items()
        for method in _METHODS
        if method in methods
    ]
    yield f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}: HTTP API</title>'
    yield f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n</head>\n<body>'
    yield f"<h1>{title}: HTTP API</h1>"
    for paragraph in openapi["info"]["description"].split("\n\n"):
        yield f"<p>{escape(paragraph)}</p>"
    yield '<p>For programs: <a href="/openapi.json">openapi.json</a>. For people: <a href="/">the page</a>.</p>\n<nav>'
    for method, path, _ in operations:
        yield f'<a href="#{_anchor(method, path)}"><code>{method.upper()} {escape(path)}</code></a>'
    yield "</nav>"
    schemas = openapi["components"]["schemas"]
    for method, path, operation in operations:
        yield f'<h2 id="{_anchor(method, path)}"><code>{method.upper()} {escape(path)}</code></h2>'
        yield f"<p>{escape(operation['summary'])}.</p>"
        yield from _inputs(operation, schemas)
        yield from _outcomes(operation, schemas)
    yield "<h1>Objects</h1>"
    for name, schema in schemas.items():
        if not name.startswith("Body_"):
            yield f'<h2 id="{escape(name)}">{escape(name)}</h2>\n<p>{escape(schema.get("description", ""))}</p>'
            yield from _table(schema, schemas)
    yield "</body>\n</html>"


def _inputs(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """What a request may bring."""
    if "security" in operation:
        yield "<p>In the header, if the service has tokens: <code>Authorization: Bearer TOKEN</code>.</p>"
    for parameter in operation.get("parameters", ()):
        meaning = escape(parameter.get("description", ""))
        yield f"<p>In the path: <code>{escape(parameter['name'])}</code>. {meaning}</p>"
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<p>As <code>{escape(media_type)}</code>:</p>"
        yield from _table(_resolved(content["schema"], schemas), schemas)


def _outcomes(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """What comes back, by status."""
    yield "<table>\n<tr><th>Status<th>Meaning<th>Content"
    for status, response in operation["responses"].items():
        contents = [
            f"<code>{escape(media_type)}</code> {_kind(content.get('schema', {}))}"
            for media_type, content in response.get("content", {}).items()
        ]
        yield f"<tr><td>{escape(status)}<td>{escape(response['description'])}<td>{'<br>'.join(contents)}"
    yield "</table>"
    for status, response in operation["responses"].items():
        for content in response.get("content", {}).values():
            schema = _resolved(content.get("schema", {}), schemas)
            example = content.get("example") or next(iter(schema.get("examples", ())), None)
            if example is not None and status.startswith("2"):
                text = example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
                yield f"<pre>{escape(text)}</pre>"


def _table(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """The members of an object."""
    required = schema.get("required", ())
    yield "<table>\n<tr><th>Name<th>Type<th>Meaning"
    for name, member in schema.get("properties", {}).items():
        needed = " (required)" if name in required else ""
        meaning = escape(member.get("description", ""))
        yield f"<tr><td><code>{escape(name)}</code>{needed}<td>{_kind(member)}<td>{meaning}"
    yield "</table>"


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a few words, as HTML."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[1])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(choice) for choice in schema["anyOf"])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    match schema.get("type"):
        case "array":
            return f"array of {_kind(schema.get('items', {})) or 'anything'}"
        case "string" if schema.get("format") == "binary":
            return "file"
        case str(kind):
            bounds = [f"{word} {schema[key]}" for key, word in _BOUNDS if key in schema]
            return escape(", ".join([kind, *bounds]))
    return ""


_BOUNDS = (
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("minLength", "characters at least"),
    ("maxLength", "characters at most"),
)


def _resolved(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    found: dict[str, Any] = schemas[reference.rsplit("/", 1)[1]] if reference else schema
    return found


def _anchor(method: str, path: str) -> str:
    return escape(f"{method}{path}".replace("/", "-").replace("{", "").replace("}", ""))

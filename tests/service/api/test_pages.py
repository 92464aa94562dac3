"""What a browser gets: the page, its files, and the documentation, from this host alone."""

import re
from html import escape
from html.parser import HTMLParser

from tests.service.api.helpers import Client, Speak

VOID = {"meta", "link", "br", "input", "img"}
ENDS_BY_ITSELF = {"tr", "td", "th"}


class Outline(HTMLParser):
    """The attributes of a page's elements, if these are well nested."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in VOID | ENDS_BY_ITSELF:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_and_its_files(speak: Speak) -> None:
    async def talk(client: Client) -> None:
        page = await client.get("/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        links = [link for link in Outline(page.text).links if not link.startswith(("#", "data:"))]
        assert links
        for link in links:
            assert "//" not in link
            assert (await client.get(link)).status_code == 200, link
        style = await client.get("/static/page.css")
        assert style.headers["content-type"] == "text/css; charset=utf-8"
        unchanged = await client.get("/static/page.css", headers={"if-none-match": style.headers["etag"]})
        assert unchanged.status_code == 304

    speak(talk)


def test_the_documentation_tells_of_every_route_and_asks_no_other_host(speak: Speak) -> None:
    async def talk(client: Client) -> None:
        response = await client.get("/docs")
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        page = Outline(response.text)
        assert "script" not in page.tags
        assert len(set(page.ids)) == len(page.ids)
        for link in page.links:
            assert link in ("/", "/openapi.json") or link[1:] in page.ids, link
        document = (await client.get("/openapi.json")).json()
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                assert f">{method.upper()} {path}<" in response.text
                assert escape(operation["summary"]) in response.text
        for name in ("SceneDetails", "Problem", "QueryAnswer"):
            assert name in page.ids

    speak(talk)


def test_openapi_tells_which_routes_take_a_token(speak: Speak) -> None:
    async def talk(client: Client, security: list[dict[str, list[str]]]) -> None:
        document = (await client.get("/openapi.json")).json()
        assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
        operations = [operation for methods in document["paths"].values() for operation in methods.values()]
        for operation in operations:
            assert operation.get("security") == (security if "401" in operation["responses"] else None)
        assert "security" not in document["paths"]["/health"]["get"]
        taking = sum("security" in operation for operation in operations)
        assert (await client.get("/docs")).text.count("Authorization: Bearer TOKEN") == taking == len(operations) - 1

    speak(lambda client: talk(client, [{}, {"bearer": []}]))
    speak(lambda client: talk(client, [{"bearer": []}]), tokens="a-token-of-the-test")


def test_openapi_explains_itself(speak: Speak) -> None:
    async def talk(client: Client) -> None:
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

    speak(talk)

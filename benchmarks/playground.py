"""Whether the playground writes the same programs as the command line, byte by byte, and what it loads.

    .venv/bin/python benchmarks/playground.py build/playground -o docs/playground.json

Fifty pictures are drawn: five boards of each of six tasks, and twenty pictures of any size. `predinet-prolog export`
writes their programs, and Chromium those of the playground. The same pictures as JPEG come after them.
"""

import argparse
import base64
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from service.cli import main as predinet_prolog

TASKS = ("same", "between", "occurs", "row_patterns_3", "column_patterns_3", "match_rows")
BOARDS, PICTURES = 5, 20
SEED = 2311
NAME = "image"
"""The playground tells a program no file's name, so the files of the command line all have this one."""
LOADING = "!document.getElementById('loading').textContent"
PROGRAM = """async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (each) => each.charCodeAt(0));
    const form = new FormData();
    form.append("image", new File([bytes], "image"));
    const scene = await (await fetch("scenes", { method: "POST", body: form })).json();
    return scene.id ? await (await fetch(`scenes/${scene.id}/program`)).text() : JSON.stringify(scene);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("playground", type=Path, help="the folder that scripts/playground made")
    parser.add_argument("-o", "--output", type=Path, help="a JSON file")
    parser.add_argument("--keep", type=Path, help="a new folder for the programs that differ")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(asked.playground) as (page, told):
        pictures = [*drawn(Path(folder))]
        for kind, files in (("png", pictures), ("jpeg", [*as_jpeg(pictures)])):
            equal = 0
            for number, file in enumerate(files):
                wanted = exported(file)
                found = page.evaluate(PROGRAM, base64.b64encode(file.read_bytes()).decode())
                equal += found == wanted
                if found != wanted and asked.keep:
                    asked.keep.mkdir(exist_ok=True)
                    for by, text in (("cli", wanted), ("browser", found)):
                        (asked.keep / f"{kind}-{number:02}.{by}.pl").write_text(text)
                print(f"{kind}: {equal} of {number + 1} equal", flush=True)
            told[kind] = {"pictures": len(files), "equal": equal}
    print(json.dumps(told, indent=1))
    if asked.output:
        asked.output.write_text(json.dumps(told, indent=1) + "\n")


def drawn(folder: Path) -> Iterator[Path]:
    """Pictures, each in a folder of its own."""
    for task, count in (*((task, BOARDS) for task in TASKS), ("scenes", PICTURES)):
        command = ["generate", task, "-n", str(count), "--seed", str(SEED), "-o", str(folder / task)]
        assert predinet_prolog(command) == 0
        for picture in sorted((folder / task).rglob("*.png")):
            own = picture.with_suffix("")
            own.mkdir()
            yield picture.rename(own / NAME)


def as_jpeg(pictures: list[Path]) -> Iterator[Path]:
    """The same, as a camera would keep them."""
    for picture in pictures:
        own = picture.parent / "jpeg"
        own.mkdir()
        Image.open(picture).convert("RGB").save(own / NAME, "JPEG", quality=90)
        yield own / NAME


def exported(picture: Path) -> str:
    """What the command line writes of it."""
    program = picture.with_name("program.pl")
    assert predinet_prolog(["export", str(picture), "-o", str(program)]) == 0
    return program.read_text(encoding="utf-8")


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Page, dict[str, object]]]:
    """The playground in Chromium once it has loaded, and what that took: a first picture is taken and asked about."""
    loaded: list[int] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *values: object) -> None:
            pass

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "no-store")
            super().end_headers()

        def copyfile(self, source: object, outputfile: object) -> None:
            content = source.read()  # type: ignore[attr-defined]
            loaded.append(len(content))
            outputfile.write(content)  # type: ignore[attr-defined]

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        page = browser.new_page()
        page.set_default_timeout(600_000)
        start = time.perf_counter()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_function(LOADING)
        ready = time.perf_counter()
        page.locator("#examples button").first.click()
        page.locator("#picture .object").first.wait_for()
        page.locator("#query").fill("same(X, Y)")
        page.locator("#query").press("Enter")
        page.locator("#answers tbody tr").first.wait_for()
        answered = time.perf_counter()
        processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        told: dict[str, object] = {
            "browser": f"Chromium {browser.version}",
            "megabytes": round(sum(loaded) / 1e6, 1),
            "seconds_until_loaded": round(ready - start, 1),
            "seconds_until_the_first_answer": round(answered - start, 1),
            "processor_seconds_until_the_first_answer": round(sum(each["cpuTime"] for each in processes), 1),
        }
        yield page, told
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()

"""docs/settings.md, from the table of settings: `python -m service.settings_table > docs/settings.md`."""

from service.settings import PREFIX, described

HEAD = f"""\
# Settings

Made by `python -m service.settings_table` from `service/settings.py`; a test holds that it is up to date.

Every setting can be given by an environment variable that begins with `{PREFIX}`, and all but the secret ones by an
option of `predinet-prolog serve`. An option comes before the environment. Numbers of bytes may have a unit: `512KiB`,
`8MiB`, `1GiB`. A value out of bounds ends the program with one line that names the setting and where it came from.

| option | environment variable | meaning | bounds | default |
|---|---|---|---|---|
"""


def table() -> str:
    """The page, as Markdown."""
    rows = []
    for setting in described():
        option = "" if setting.option is None else f"`{setting.option} {setting.metavar}`".replace("|", "\\|")
        default = setting.default and f"`{setting.default}`"
        rows.append(f"| {option} | `{setting.variable}` | {setting.help} | {setting.bounds} | {default} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    print(table(), end="")

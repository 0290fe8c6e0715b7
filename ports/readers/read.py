"""What PyYAML makes of files: see README.md."""

import struct
import sys

import yaml


def show(value, path):
    if isinstance(value, dict) and value:
        for key in sorted(value):
            show(value[key], f"{path}/{key}")
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            show(item, f"{path}/{index}")
    else:
        print(path, leaf(value))


def leaf(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "f" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "t" + value
    if value == []:
        return "[]"
    if value == {}:
        return "{}"
    return f"{type(value).__name__} {value}"


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
for name in sys.argv[1:]:
    print(name)
    with open(name, encoding="utf-8") as file:
        show(yaml.safe_load(file), "")

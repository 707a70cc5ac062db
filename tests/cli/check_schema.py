#!/usr/bin/env python3
"""check_schema.py SCHEMA FILE: exit 0 when FILE is valid, 1 when it is not, 2 when jsonschema is not installed."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed: the schema is not checked")
    sys.exit(2)

schema_path, document_path = sys.argv[1:3]
with open(schema_path) as f:
    schema = json.load(f)
with open(document_path) as f:
    document = json.load(f)
jsonschema.Draft7Validator.check_schema(schema)
errors = sorted(jsonschema.Draft7Validator(schema).iter_errors(document), key=lambda e: list(map(str, e.path)))
for error in errors[:10]:
    print(f"{document_path}: {'/'.join(map(str, error.path))}: {error.message[:200]}")
sys.exit(1 if errors else 0)

"""Runs the SQL of a file on the copy of an application, as of a time, in a time zone and with what was recorded until a time, and prints the rows of each SELECT as JSON."""

import json
import os
import re
import sys

import duckdb

file, now, zone, recorded_until = sys.argv[1:]
# The values that replace those of the guide for its variables.
variables = {"now": f"{int(now)}::BIGINT", "zone": f"'{zone}'", "recorded_until": f"'{recorded_until}'::DOUBLE"}
connection = duckdb.connect(f"billing_{os.environ['BILLING_APP_ID']}.duckdb", read_only=True)
answers = []
for statement in re.split(r";\s*\n", open(file).read().strip().rstrip(";")):
    code = re.sub(r"^(\s*--[^\n]*\n)+", "", statement)
    assignment = re.match(r"SET VARIABLE (\w+) =", code)
    if assignment:
        name = assignment[1]
        code = f"SET VARIABLE {name} = {variables[name]}"
    result = connection.execute(code)
    if code.lstrip().startswith(("SELECT", "WITH")):
        names = [column[0] for column in result.description]
        answers.append([dict(zip(names, row)) for row in result.fetchall()])
print(json.dumps(answers, default=float))

"""store_content.py DB: every table of a results store with all columns but the measured ones, rows in order."""
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
for table, sql in sorted(db.execute("select name, sql from sqlite_master where type = 'table'")):
    names = [row[1] for row in db.execute(f"pragma table_info({table})") if not row[1].startswith("wall_")]
    print(table, names, sql)
    for row in sorted(map(repr, db.execute(f"select {', '.join(names)} from {table}"))):
        print(row)

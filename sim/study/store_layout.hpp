// The tables of a results store, and the marks by which a file is known as one. docs/store.md
#pragma once

namespace fleetsim {

class Database;

/// No table was made yet.
[[nodiscard]] bool has_no_tables(const Database& db);
/// Makes the tables and marks the file. Call it in a transaction.
void make_tables(const Database& db);
/// Throws an EnvironmentError that says what is wrong, and what to do, unless the file has the mark and
/// exactly the tables and columns of this version. Cost: reads the schema, not the rows.
void expect_layout(const Database& db);

}  // namespace fleetsim

"""Full-text search: the query language, analysis, ranking, snippets and the Whoosh adapter."""

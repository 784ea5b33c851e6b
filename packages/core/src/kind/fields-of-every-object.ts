/** The names of the fields that the API server, not the version of a kind, defines. */
export const fieldsOfEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

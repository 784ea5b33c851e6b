/** A change of an object by TypeScript's `Partial`, `Required`, `Pick` or `Omit`. */
export type ObjectChange =
  | { readonly is: 'partial' | 'required' }
  | { readonly is: 'pick' | 'omit'; readonly names: readonly string[] };

/** Whether a property exists after all changes. */
export function keepsProperty(changes: readonly ObjectChange[], name: string): boolean {
  return changes.every((change) => {
    if (change.is === 'pick') return change.names.includes(name);
    return change.is !== 'omit' || !change.names.includes(name);
  });
}

/** Whether a property is required after all changes. */
export function demandsProperty(changes: readonly ObjectChange[], wasRequired: boolean): boolean {
  return changes.reduce(
    (isRequired, change) => (change.is === 'partial' ? false : change.is === 'required' ? true : isRequired),
    wasRequired,
  );
}

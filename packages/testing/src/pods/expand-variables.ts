/**
 * Replaces `$(NAME)` by the value of a variable, as the kubelet does (third_party/forked/golang/expansion): an unknown variable
 * remains as it is, and `$$` is a dollar sign.
 */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) =>
    name === undefined ? '$' : (variables.get(name) ?? found),
  );
}

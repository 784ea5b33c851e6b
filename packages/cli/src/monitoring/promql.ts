/** The ranges that Grafana puts into expressions. PromQL itself has no variables. */
const grafanaRanges = /\$__(?:rate_interval|interval|range)\b/g;

/** Returns where and why an expression is no PromQL; undefined if its syntax is right. Types and names of metrics are not checked. */
export async function promqlMistake(expr: string): Promise<string | undefined> {
  const { parser } = await import('@prometheus-io/lezer-promql');
  const text = expr.replace(grafanaRanges, (variable) => '1'.repeat(variable.length - 1).concat('m'));
  let at: number | undefined;
  parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at ??= from;
    },
  });
  if (at === undefined) return undefined;
  const rest = expr.slice(at, at + 20);
  return rest.trim() === ''
    ? 'the expression is not complete'
    : `unexpected ${JSON.stringify(rest)} at character ${at + 1}`;
}

/**
 * Whether a stream may get colours: if it is a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`. `FORCE_COLOR` decides before
 * these: `0` and `false` never, any other value always. An empty variable has no effect. Both are conventions: https://no-color.org and
 * https://force-color.org.
 */
export function hasColors({ isTTY }: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: forced = '', NO_COLOR = '', TERM } = env;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}

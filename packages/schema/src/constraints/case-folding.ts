/** First and last UTF-16 code unit. */
export type UnitRange = readonly [first: number, last: number];

/**
 * All characters that JavaScript takes for one of a range with the flag i and without u (ECMA-262, Canonicalize: the
 * capital, where that is one unit and does not lead into ASCII). Both bounds are below U+10000.
 */
export function foldedRanges(first: number, last: number): readonly UnitRange[] {
  const found = new Set<number>();
  for (let unit = first; unit <= last; unit++) {
    found.add(unit);
    for (const same of sameCase().get(canonical(unit)) ?? []) found.add(same);
  }
  const ranges: [number, number][] = [];
  for (const unit of [...found].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === unit - 1) range[1] = unit;
    else ranges.push([unit, unit]);
  }
  return ranges;
}

function canonical(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const code = upper.charCodeAt(0);
  return upper.length !== 1 || (unit > 0x7f && code <= 0x7f) ? unit : code;
}

let byCanonical: Map<number, number[]> | undefined;

/** Units by what they are compared as, made when first asked for. */
function sameCase(): ReadonlyMap<number, readonly number[]> {
  if (byCanonical !== undefined) return byCanonical;
  byCanonical = new Map();
  for (let unit = 0; unit <= 0xffff; unit++) {
    const code = canonical(unit);
    const units = byCanonical.get(code);
    if (units === undefined) byCanonical.set(code, [unit]);
    else units.push(unit);
  }
  return byCanonical;
}

/** First and last UTF-16 code unit. */
export type UnitRange = readonly [first: number, last: number];

/**
 * All characters that JavaScript matches with a range if the flag i is set and u is not (ECMA-262, Canonicalize: the upper
 * case, if it is one unit and does not map a non-ASCII character to ASCII). Both bounds are below U+10000.
 */
export function foldedRanges(first: number, last: number): readonly UnitRange[] {
  const others = new Set<number>();
  for (const [unit, same] of unitsWithCases()) {
    if (unit < first || unit > last) continue;
    for (const other of same) if (other < first || other > last) others.add(other);
  }
  const ranges: [number, number][] = [];
  let isOwnIn = false;
  for (const unit of [...others].sort((one, other) => one - other)) {
    if (!isOwnIn && unit > last) {
      ranges.push([first, last]);
      isOwnIn = true;
    }
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === unit - 1) range[1] = unit;
    else ranges.push([unit, unit]);
  }
  if (!isOwnIn) ranges.push([first, last]);
  return ranges;
}

function canonical(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const code = upper.charCodeAt(0);
  return upper.length !== 1 || (unit > 0x7f && code <= 0x7f) ? unit : code;
}

let withCases: ReadonlyMap<number, readonly number[]> | undefined;

/** The units that are equal to other units when case is ignored, with all of those. Created at the first use. */
function unitsWithCases(): ReadonlyMap<number, readonly number[]> {
  if (withCases !== undefined) return withCases;
  const byCanonical = new Map<number, number[]>();
  for (let unit = 0; unit <= 0xffff; unit++) {
    const code = canonical(unit);
    const units = byCanonical.get(code);
    if (units === undefined) byCanonical.set(code, [unit]);
    else units.push(unit);
  }
  const same = [...byCanonical.values()].filter((units) => units.length > 1);
  withCases = new Map(same.flatMap((units) => units.map((unit) => [unit, units])));
  return withCases;
}

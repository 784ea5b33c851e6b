import type { Catalog } from './catalog.ts';
import { type ChannelGraph, channelGraphs, rulesOf } from './graph-text.ts';

const rowHeight = 36;
const boxHeight = 24;
const characterWidth = 7.3;
const headerHeight = 64;
const margin = 24;
const laneWidth = 14;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly by: 'replaces' | 'skips' | 'skipRange';
  readonly title: string;
}

/**
 * The upgrades of a catalog as an SVG image, in which each channel is a column with its newest bundle on top. A solid line is
 * `replaces`, a dashed line is `skips`, and a dotted line is `skipRange`, which starts at
 * the oldest bundle that has no other way. The same catalog
 * always gives the same image.
 */
export function graphSvg(catalog: Catalog): string {
  let left = margin;
  let height = 0;
  const columns: string[] = [];
  for (const graph of channelGraphs(catalog)) {
    const edges = edgesOf(graph);
    const titles = [graph.packageName, graph.channel, ...graph.entries.map(({ name }) => name)];
    const box = Math.ceil(Math.max(...titles.map((title) => title.length)) * characterWidth) + 20;
    columns.push(columnOf(graph, edges, left, box));
    left += box + edges.length * laneWidth + 2 * margin;
    height = Math.max(height, headerHeight + graph.entries.length * rowHeight);
  }
  const width = Math.ceil(left);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + margin}" viewBox="0 0 ${width} ${height + margin}" font-family="monospace" font-size="12">`,
    '<style>rect{fill:#fff;stroke:#1f2937}.head{fill:#d1fae5}.deprecated{fill:#e5e7eb}path{fill:none;stroke:#1f2937}.skips{stroke-dasharray:6 4}.skipRange{stroke-dasharray:1 4}</style>',
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#1f2937"/></marker></defs>',
    ...columns,
    '</svg>',
    '',
  ].join('\n');
}

function edgesOf({ graph, entries }: ChannelGraph): Edge[] {
  const rows = new Map(entries.map(({ name }, index) => [name, index]));
  const edges: Edge[] = [];
  for (const [to, entry] of entries.entries()) {
    const title = `${entry.name} ${rulesOf(entry)}`;
    for (const [name, by] of [
      [entry.replaces, 'replaces'],
      ...entry.skips.map((skip) => [skip, 'skips'] as const),
    ] as const) {
      const from = name === undefined ? undefined : rows.get(name);
      if (from !== undefined) edges.push({ from, to, by, title });
    }
    const oldest = entries.findLast((each) =>
      graph.successorsOf(each).some((edge) => edge.to === entry.name && edge.by === 'skipRange'),
    );
    if (oldest !== undefined) edges.push({ from: rows.get(oldest.name) ?? 0, to, by: 'skipRange', title });
  }
  return edges;
}

function columnOf(graph: ChannelGraph, edges: readonly Edge[], left: number, box: number): string {
  const { packageName, channel, isDefault, deprecated } = graph;
  const middle = (row: number): number => headerHeight + row * rowHeight + boxHeight / 2;
  const state = (name: string): string =>
    deprecated.has(name) ? 'deprecated' : graph.graph.heads.includes(name) ? 'head' : 'entry';
  return [
    `<text x="${left}" y="24" font-weight="bold">${escaped(packageName)}</text>`,
    `<text x="${left}" y="44">${escaped(channel)}${isDefault ? ' (default)' : ''}${deprecated.has(channel) ? ' (deprecated)' : ''}</text>`,
    ...edges.map(({ from, to, by, title }, lane) => {
      const edge = left + box;
      const turn = edge + (lane + 1) * laneWidth;
      const path = `M${edge} ${middle(from)}H${turn}V${middle(to)}H${edge}`;
      return `<path class="${by}" d="${path}" marker-end="url(#arrow)"><title>${escaped(title)}</title></path>`;
    }),
    ...graph.entries.flatMap(({ name }, row) => [
      `<rect class="${state(name)}" x="${left}" y="${middle(row) - boxHeight / 2}" width="${box}" height="${boxHeight}" rx="4"/>`,
      `<text x="${left + 10}" y="${middle(row) + 4}">${escaped(name)}</text>`,
    ]),
  ].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

import type { Panel } from '../config.ts';

/** The version of Grafana's model of dashboards: that of Grafana 11. Newer ones convert it. */
const schemaVersion = 39;
const columns = 24;
const width = 8;
const height = 7;

/** Returns a dashboard of Grafana. Users choose the source of the data in it. */
export function dashboardJson(title: string, panels: readonly Panel[]): string {
  const datasource = { type: 'prometheus', uid: '$' + '{datasource}' };
  const dashboard = {
    // Grafana limits it to 40 characters.
    uid: `evenkeel-${title}`.slice(0, 40),
    title,
    tags: ['evenkeel'],
    schemaVersion,
    time: { from: 'now-6h', to: 'now' },
    refresh: '1m',
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(({ title: name, expr, legend = '__auto', unit = 'short' }, index) => ({
      ...{ id: index + 1, type: 'timeseries', title: name, datasource },
      gridPos: {
        ...{ w: width, h: height },
        x: (index * width) % columns,
        y: Math.floor((index * width) / columns) * height,
      },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: [{ refId: 'A', expr, legendFormat: legend, datasource }],
    })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

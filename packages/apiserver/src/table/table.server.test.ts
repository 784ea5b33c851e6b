import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { printerFor } from './built-in-printers.ts';
import { printedObjects } from './printed-objects.fixture.ts';

const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1';

/** Replaces ages, which differ by the time between the two responses, by one word. */
function withoutAges(cells: readonly unknown[]): unknown[] {
  return cells.map((cell) =>
    typeof cell === 'string' ? cell.replace(/(?<![\w.])\d+(?:s|m\d*s?|h\d*m?|d\d*h?|y\d*d?)(?![\w.])/g, 'AGE') : cell,
  );
}

describeWithRealServer('tables of built-in kinds', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server.stop());

  it.each(printedObjects.map((printed) => [printed.title, printed] as const))(
    'prints %s as the real server does',
    async (_title, { path, object, status }) => {
      const { metadata } = object as unknown as ApiObject;
      const created = await server.send('POST', path, { body: object });
      expect({ status: created.status, body: created.status < 300 ? '' : created.text }).toEqual({
        status: 201,
        body: '',
      });
      const self = `${path}/${metadata.name}`;
      if (status !== undefined) {
        const contentType = 'application/merge-patch+json';
        const patched = await server.send('PATCH', `${self}/status`, { contentType, body: { status } });
        expect({ status: patched.status, body: patched.status < 300 ? '' : patched.text }).toEqual({
          status: 200,
          body: '',
        });
      }
      const stored = (await server.send('GET', self)).body as ApiObject;
      const table = (await server.send('GET', self, { accept: asTable })).body;
      const [group = ''] = stored.apiVersion.includes('/') ? stored.apiVersion.split('/') : [''];
      const printer = printerFor({ group, kind: stored.kind });

      const columns = table.columnDefinitions.map(({ description: _, ...column }: { description: string }) => column);
      expect(printer.columns.map((column) => ({ ...column, format: column.format ?? '' }))).toEqual(columns);
      expect(withoutAges(printer.cells(stored, Date.now()))).toEqual(withoutAges(table.rows[0].cells));
      expect(printer.rowConditions?.(stored) ?? []).toEqual(table.rows[0].conditions ?? []);
    },
  );
});

import { goJson, goText, isNumeric } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { TableCell, TableColumn, TablePrinter } from '../kind/table-columns.ts';
import { nameColumn } from '../table/define-printer.ts';
import { humanDuration } from '../table/human-duration.ts';
import type { VersionDefinition } from './custom-definition.ts';
import { compileIfJsonPath, type JsonPath } from './json-path.ts';

type ColumnDefinition = NonNullable<VersionDefinition['additionalPrinterColumns']>[number];

const defaultColumns: readonly ColumnDefinition[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'When the object was created.' },
];

/**
 * Returns the printer of a custom kind: the name, and the `additionalPrinterColumns` of the version or, by default, the
 * age. As upstream, the columns end before the first one whose path is invalid.
 *
 * Source: apiextensions-apiserver `pkg/registry/customresource/tableconvertor/tableconvertor.go`.
 */
export function customPrinter(version: Pick<VersionDefinition, 'additionalPrinterColumns'>): TablePrinter {
  const defined = version.additionalPrinterColumns ?? [];
  const columns: TableColumn[] = [nameColumn];
  const paths: { readonly type: string; readonly path: JsonPath }[] = [];
  for (const definition of defined.length === 0 ? defaultColumns : defined) {
    const path = compileIfJsonPath(definition.jsonPath ?? '');
    if (path === undefined) break;
    paths.push({ type: definition.type ?? '', path });
    columns.push(columnOf(definition));
  }
  return {
    columns,
    cells: (object: ApiObject, now) => [
      object.metadata.name,
      ...paths.map(({ type, path }) => cellOf(path.first(object), type, now)),
    ],
  };
}

function columnOf({
  name = '',
  type,
  format,
  description,
  priority = 0,
  jsonPath = '',
}: ColumnDefinition): TableColumn {
  return {
    name,
    // Validation rejects other types.
    type: (type ?? 'string') as TableColumn['type'],
    ...(format && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
  };
}

/** `undefined` means that the path matches nothing. Null is a value, which a string column shows. */
function cellOf(value: unknown, type: string, now: number): TableCell {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return printed(value);
    case 'integer':
      return typeof value === 'bigint' ? value : typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return isNumeric(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

/** Formats a value as Go's JSONPath does: scalars by `fmt.Fprint`, lists and objects as JSON. */
function printed(value: unknown): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? goJson(value) : goText(value);
}

const rfc3339 = /^\d{4}-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** Go's zero time, which means that there is no time. */
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

function ageOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const match = rfc3339.exec(text);
  const then = match === null ? Number.NaN : Date.parse(text.replace(',', '.'));
  if (Number.isNaN(then) || !isDayOfMonth(text)) return '<invalid>';
  return then === zeroTime ? '<unknown>' : humanDuration(now - then);
}

/** Rejects invalid days, because JavaScript reads the 30th of February as the 1st or 2nd of March. */
function isDayOfMonth(text: string): boolean {
  const day = `${text.slice(0, 10)}T00:00:00Z`;
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text.slice(0, 10);
}

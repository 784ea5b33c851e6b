import { stringifyJson } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { metadataInGoOrder } from '../kind/go-order.ts';
import type { TableColumn, TablePrinter } from '../kind/table-columns.ts';
import { badRequest } from '../status/refusal.ts';

export type IncludedObject = 'None' | 'Metadata' | 'Object';

/** The content that the request wants in each row besides its cells. */
export function includedObjectOf(query: URLSearchParams): IncludedObject {
  const asked = query.get('includeObject') ?? '';
  if (asked === '' || asked === 'Metadata') return 'Metadata';
  if (asked === 'None' || asked === 'Object') return asked;
  const value = JSON.stringify(asked);
  const why = `includeObject: Invalid value: ${value}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${why}`);
}

/** A Table of objects. `json` returns the JSON of an object for rows that include it. */
export function tableOf(
  printer: TablePrinter,
  objects: readonly { readonly object: ApiObject; readonly json: () => string }[],
  options: {
    readonly metadata: Record<string, unknown>;
    readonly include: IncludedObject;
    readonly now: number;
    readonly headers: boolean;
    readonly metaVersion: string;
  },
): string {
  const rows = objects.map(({ object, json }) => {
    const cells = printer.cells(object, options.now);
    const conditions = printer.rowConditions?.(object) ?? [];
    const head = `{"cells":${stringifyJson(cells)}`;
    const middle = conditions.length === 0 ? '' : `,"conditions":${JSON.stringify(conditions)}`;
    return `${head}${middle},"object":${rowObject(object, json, options)}}`;
  });
  const columns = options.headers ? printer.columns.map(columnJson) : null;
  const start = JSON.stringify({
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.metaVersion}`,
    metadata: options.metadata,
    columnDefinitions: columns,
  });
  const isNull = rows.length === 0 && printer.emptyRowsAreNull === true;
  return `${start.slice(0, -1)},"rows":${isNull ? 'null' : `[${rows.join(',')}]`}}`;
}

function rowObject(
  object: ApiObject,
  json: () => string,
  { include, metaVersion }: { readonly include: IncludedObject; readonly metaVersion: string },
): string {
  if (include === 'None') return 'null';
  if (include === 'Object') return json();
  return JSON.stringify({
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: metadataInGoOrder(object),
  });
}

function columnJson({ name, type, format = '', description = '', priority }: TableColumn): object {
  return { name, type, format, description, priority };
}

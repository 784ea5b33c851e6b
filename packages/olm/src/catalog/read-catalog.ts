import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { BundleFolderError, type FolderLimits, readBundleFolder } from '../bundle/bundle-folder.ts';
import { TypeMismatch } from '../bundle/json-types.ts';
import type { CatalogCheck } from '../validate/catalog-check.ts';
import type { FindingPlace, OlmReport } from '../validate/finding.ts';
import { type Catalog, documentTypes, type KnownSchema, type Located } from './catalog.ts';
import { type CatalogDocument, lineInDocument, parseDocument, splitDocuments } from './catalog-document.ts';
import { decodeDocument } from './decode-document.ts';
import { withoutIgnored } from './ignored-files.ts';

/** A file of a catalog. */
export interface CatalogFile {
  /** The path in the catalog, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly documents: readonly CatalogDocument[];
}

const mebibyte = 1024 * 1024;

/** The largest catalogs of all operators have about 100 MiB. */
const limits: FolderLimits = { noun: 'a catalog', files: 20_000, bytes: 256 * mebibyte };

/** Lines are found by another, slower reader. Documents beyond this sum of characters get the line of their start. */
const locatedMax = 8 * mebibyte;

/** Creates the places of findings about documents. */
export class DocumentPlaces {
  #located = 0;

  /** A place in a document: its file, the line and the path of the value. */
  of(document: CatalogDocument, path: readonly (string | number)[] = []): FindingPlace {
    return { file: document.file, path, document: { lineOf: (place) => this.#lineOf(document, place) } };
  }

  #lineOf(document: CatalogDocument, path: readonly (string | number)[]): number {
    this.#located += document.text.length;
    return this.#located > locatedMax ? document.line : lineInDocument(document, path);
  }
}

/**
 * Reads the files of a catalog and splits them into documents. Reports a folder that cannot be read, and returns undefined then. Throws
 * only what is not about the folder.
 */
export async function readCatalogFiles(
  folder: string,
  report: OlmReport<CatalogCheck>,
): Promise<CatalogFile[] | undefined> {
  try {
    const files = withoutIgnored(await readBundleFolder(folder, limits));
    return files.map(({ path, content }) => {
      const text = content.toString('utf8');
      return { path, text, documents: splitDocuments(path, text) };
    });
  } catch (cause) {
    if (!(cause instanceof BundleFolderError) && (cause as NodeJS.ErrnoException).code === undefined) throw cause;
    report.add('catalog-unreadable', (cause as Error).message);
    return undefined;
  }
}

/** Reads the documents of a catalog. Returns undefined if there are errors, which are in the report then. */
export function loadCatalog(
  files: readonly CatalogFile[],
  places: DocumentPlaces,
  report: OlmReport<CatalogCheck>,
): Catalog | undefined {
  const found = new Map<string, Located<object>[]>();
  for (const file of files) {
    if (file.documents.length === 0) {
      const message = `it contains no document; remove it, or list it in .indexignore`;
      report.add('document-invalid', message, { file: file.path, line: 1 });
    }
    for (const document of file.documents) {
      const read = readDocument(document, places, report);
      if (read === undefined) continue;
      const list = found.get(read.schema) ?? [];
      list.push({ document, value: read.value });
      found.set(read.schema, list);
    }
  }
  if (report.hasErrors) return undefined;
  const of = (schema: KnownSchema): readonly Located<object>[] => found.get(schema) ?? [];
  const others = [...found].filter(([schema]) => !Object.hasOwn(documentTypes, schema));
  return {
    packages: of('olm.package'),
    channels: of('olm.channel'),
    bundles: of('olm.bundle'),
    deprecations: of('olm.deprecations'),
    others: others.flatMap(([schema, list]) => list.map(({ document }) => ({ document, value: { schema } }))),
  };
}

interface ReadDocument {
  readonly schema: string;
  readonly value: object;
}

function readDocument(
  document: CatalogDocument,
  places: DocumentPlaces,
  report: OlmReport<CatalogCheck>,
): ReadDocument | undefined {
  const parsed = parseDocument(document);
  if ('reason' in parsed) {
    const message = `${parsed.reason}; write it as YAML or JSON, or list the file in .indexignore`;
    report.add('document-invalid', message, { file: document.file, line: parsed.line });
    return undefined;
  }
  const { value } = parsed;
  if (!isJsonObject(value)) {
    const message = 'it is not an object with a schema; remove it, or list the file in .indexignore';
    report.add('document-invalid', message, places.of(document));
    return undefined;
  }
  for (const key of parsed.repeatedKeys) {
    const message = `a mapping has the key ${key} twice, and only the last one counts; remove one of them`;
    report.add('document-key-repeated', message, places.of(document));
  }
  const head = headOf(document, value, places, report);
  if (head === undefined) return undefined;
  if (!Object.hasOwn(documentTypes, head)) {
    if (head.startsWith('olm.')) {
      const known = Object.keys(documentTypes).join(', ');
      report.add(
        'document-schema-unknown',
        `registries ignore ${JSON.stringify(head)}; use one of ${known}, or another prefix`,
        places.of(document, ['schema']),
      );
    }
    return { schema: head, value };
  }
  try {
    const decoded = decodeDocument(value, documentTypes[head as KnownSchema]);
    for (const { path, expected } of decoded.foldedKeys) {
      const message = `some tools read only ${expected}; write it with the same capital letters`;
      report.add('document-key-case', message, places.of(document, path));
    }
    return { schema: head, value: decoded.value as object };
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    report.add('document-field-type', `${error.message}; correct the value`, places.of(document, error.path));
    return undefined;
  }
}

/** Checks the keys that every document may have. Returns the schema. */
function headOf(
  document: CatalogDocument,
  value: JsonObject,
  places: DocumentPlaces,
  report: OlmReport<CatalogCheck>,
): string | undefined {
  const keys = new Map<string, string>();
  for (const key of Object.keys(value)) {
    const before = keys.get(key.toLowerCase());
    if (before !== undefined) {
      const message = `${before} is the same key for registries; remove one of them`;
      report.add('document-key-duplicate', message, places.of(document, [key]));
      return undefined;
    }
    keys.set(key.toLowerCase(), key);
  }
  for (const name of ['schema', 'package', 'name']) {
    const key = keys.get(name);
    if (key === undefined || typeof value[key] === 'string') continue;
    report.add('document-field-type', 'it must be a string; put the value in quotes', places.of(document, [key]));
    return undefined;
  }
  const schema = value[keys.get('schema') ?? 'schema'];
  if (typeof schema === 'string' && schema !== '') return schema;
  const message = 'schema is missing; add it, such as olm.bundle, or list the file in .indexignore';
  report.add('document-invalid', message, places.of(document));
  return undefined;
}

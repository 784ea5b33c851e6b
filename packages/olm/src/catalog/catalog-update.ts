import { posix } from 'node:path';
import { jsonEqual } from '@evenkeel/apimachinery/json';
import { isDns1123Label, isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import type { Bundle } from '../bundle/bundle.ts';
import { channelsOf, defaultChannelOf } from '../bundle/bundle.ts';
import { parseVersion } from '../format/semantic-version.ts';
import { type AvailableBundle, renderTemplate } from '../template/render-template.ts';
import type { CatalogCheck } from '../validate/catalog-check.ts';
import { OlmReport } from '../validate/finding.ts';
import { checkFiles } from '../validate/validate-catalog.ts';
import type { Catalog, CatalogChannel, CatalogPackage, ChannelEntry, Located } from './catalog.ts';
import { type CatalogDocument, parseDocument } from './catalog-document.ts';
import { CatalogFiles } from './catalog-files.ts';
import { CatalogUpdateError } from './catalog-update-error.ts';
import { deriveEntry } from './derive-entry.ts';
import { type CatalogFile, DocumentPlaces, loadCatalog, readCatalogFiles } from './read-catalog.ts';
import { type RenderedBundle, renderBundle } from './render-bundle.ts';
import { graphOf, versionsOf } from './upgrade-graph.ts';

/** How a bundle is added. */
export interface BundleAddition {
  /** The reference of the bundle image. */
  readonly image: string;
  /** Default: the channels in the annotations of the bundle. */
  readonly channels?: readonly string[] | undefined;
  /** Default: that of the annotations for a new package; an existing package keeps its own. */
  readonly defaultChannel?: string | undefined;
  /** Default: `spec.replaces` of the ClusterServiceVersion, otherwise derived from the channel. */
  readonly replaces?: string | undefined;
  /** Default: `spec.skips` of the ClusterServiceVersion. */
  readonly skips?: readonly string[] | undefined;
  /** `true` derives a range from the oldest bundle of the channel. Default: the annotation `olm.skipRange`. */
  readonly skipRange?: string | true | undefined;
  /** Whether a bundle of that name with other content is replaced. */
  readonly overwrite?: boolean | undefined;
}

/** Writes an object as the text of a document. */
export type WriteDocument = (value: object, format: CatalogDocument['format']) => string;

/**
 * Changes of a catalog folder, which are made in memory. Documents that a change is not about keep their bytes, and so does
 * everything else in a document that changes.
 */
export class CatalogUpdate {
  readonly #files: CatalogFiles;
  readonly #write: WriteDocument;
  readonly #steps: string[] = [];
  /** The catalog in the files that were read last. To read a large one takes a second. */
  #loaded: { readonly files: readonly CatalogFile[]; readonly catalog: Catalog } | undefined;

  private constructor(files: readonly CatalogFile[], write: WriteDocument) {
    this.#files = new CatalogFiles(files);
    this.#write = write;
  }

  /** Reads a catalog. A folder that does not exist is an empty catalog. Throws CatalogUpdateError if it cannot be read. */
  static async open(folder: string, exists: boolean): Promise<CatalogUpdate> {
    const { objectYaml } = await import('@evenkeel/schema');
    const report = new OlmReport<CatalogCheck>();
    const files = exists ? await readCatalogFiles(folder, report) : [];
    if (files === undefined) throw new CatalogUpdateError('the catalog cannot be read', report.findings);
    return new CatalogUpdate(files, (value, format) =>
      format === 'json' ? `${JSON.stringify(value, undefined, 4)}\n` : objectYaml(value),
    );
  }

  /** What has changed, in words. */
  get steps(): readonly string[] {
    return this.#steps;
  }

  /** The catalog with all changes. Throws CatalogUpdateError if it cannot be read. */
  catalog(): Catalog {
    const files = this.#files.all;
    if (this.#loaded?.files === files) return this.#loaded.catalog;
    const report = new OlmReport<CatalogCheck>();
    const catalog = loadCatalog(files, new DocumentPlaces(), report);
    if (catalog === undefined) {
      throw new CatalogUpdateError(
        'the catalog has documents that cannot be read; correct them first',
        report.findings,
      );
    }
    this.#loaded = { files, catalog };
    return catalog;
  }

  /** The new texts of the changed files by their paths. Throws CatalogUpdateError if the catalog would be invalid. */
  changedFiles(): Map<string, string> {
    const report = new OlmReport<CatalogCheck>();
    checkFiles(this.#files.all, report);
    const errors = report.findings.filter(({ level }) => level === 'error');
    if (errors.length > 0) throw new CatalogUpdateError('the catalog would be invalid, so nothing is written', errors);
    return this.#files.changed();
  }

  /** Adds a bundle to channels, which are created if they are missing. Throws CatalogUpdateError or EditError. */
  addBundle(bundle: Bundle, addition: BundleAddition): void {
    const rendered = renderBundle(bundle, addition.image);
    const { package: packageName, name } = rendered;
    if (!isDns1123Label(packageName)) {
      throw new CatalogUpdateError(
        `${name}: ${JSON.stringify(packageName)} is not a valid package; correct the annotation bundle.package.v1`,
      );
    }
    if (!isDns1123Subdomain(name)) {
      throw new CatalogUpdateError(`${JSON.stringify(name)} is not a valid name of a bundle; correct metadata.name`);
    }
    const channels = addition.channels ?? channelsOf(bundle);
    const [first] = channels;
    if (first === undefined) {
      throw new CatalogUpdateError(`${name} has no channel; pass --channels, or set the annotation bundle.channels.v1`);
    }
    const defaultChannel = addition.defaultChannel ?? (defaultChannelOf(bundle) || first);
    const home = this.#package(bundle, packageName, defaultChannel);
    this.#putBundle(rendered, home, addition.overwrite === true);
    for (const channel of channels) this.#addToChannel(bundle, rendered, channel, home, addition);
    if (addition.defaultChannel === undefined) return;
    const found = this.#packageOf(packageName);
    if (found === undefined || found.value.defaultChannel === addition.defaultChannel) return;
    this.#files.edit(found.document, { set: addition.defaultChannel, path: ['defaultChannel'] });
    this.#steps.push(`${found.document.file}: the default channel is ${addition.defaultChannel}`);
  }

  /**
   * Renders a template of `opm` to one file of the catalog, which is replaced. Images are those of the given bundles, and of the
   * bundles that the catalog has already. Throws CatalogUpdateError.
   *
   * @param bundles the bundles by the references of their images.
   */
  renderTemplate(file: string, text: string, bundles: ReadonlyMap<string, Bundle>): void {
    const { packageName, documents } = renderTemplate(file, text, this.#available(bundles));
    if (!isDns1123Label(packageName)) {
      throw new CatalogUpdateError(`${file}: ${JSON.stringify(packageName)} is not a valid package; rename it`);
    }
    const path = `${packageName}/catalog.yaml`;
    const other = this.#packageOf(packageName)?.document.file;
    if (other !== undefined && other !== path) {
      throw new CatalogUpdateError(
        `${other}: the catalog has the package ${packageName} already; remove its files, or render the template to another folder`,
      );
    }
    const head = `# Generated by "evenkeel catalog --template" from ${posix.basename(file)}. Change the template, not this file.\n`;
    const written = documents.map((document) => `---\n${this.#write(document, 'yaml')}`).join('');
    this.#files.write(path, `${head}${written}`);
    if (this.#files.changed().has(path)) this.#steps.push(`${path}: rendered from ${file}`);
  }

  #available(bundles: ReadonlyMap<string, Bundle>): Map<string, AvailableBundle> {
    const found = new Map<string, AvailableBundle>();
    for (const { document, value } of this.catalog().bundles) {
      const parsed = parseDocument(document);
      if (value.image === undefined || !('value' in parsed)) continue;
      const metadata = value.properties?.find(({ type }) => type === 'olm.csv.metadata')?.value as
        | CatalogPackage
        | undefined;
      const { icon } = this.#packageOf(value.package ?? '')?.value ?? {};
      found.set(value.image, {
        document: parsed.value as RenderedBundle,
        description: metadata?.description,
        icon:
          icon?.base64data && icon.mediatype ? { base64data: icon.base64data, mediatype: icon.mediatype } : undefined,
      });
    }
    for (const [image, bundle] of bundles) {
      found.set(image, { document: renderBundle(bundle, image), ...shownOf(bundle) });
    }
    return found;
  }

  /** Deprecates a package, or a channel or a bundle of it. Throws CatalogUpdateError or EditError. */
  deprecate(packageName: string, name: string | undefined, message: string): void {
    const catalog = this.catalog();
    const found = catalog.packages.find(({ value }) => value.name === packageName);
    if (found === undefined) {
      const known = catalog.packages.map(({ value }) => value.name).join(', ');
      throw new CatalogUpdateError(`the catalog has no package ${JSON.stringify(packageName)}; use one of ${known}`);
    }
    const isOf = ({ value }: Located<{ readonly name?: string; readonly package?: string }>): boolean =>
      value.package === packageName && value.name === name;
    const schema = name === undefined ? 'olm.package' : catalog.channels.some(isOf) ? 'olm.channel' : 'olm.bundle';
    const reference = { schema, ...(name === undefined ? {} : { name }) };
    const entry = { reference, message };
    const before = catalog.deprecations.find(({ value }) => value.package === packageName);
    const index = before?.value.entries?.findIndex((each) => jsonEqual(each.reference, reference)) ?? -1;
    if (before === undefined) {
      const document = { schema: 'olm.deprecations', package: packageName, entries: [entry] };
      this.#files.append(found.document.file, this.#write(document, found.document.format));
    } else if (index === -1) this.#files.edit(before.document, { append: entry, path: ['entries'] });
    else this.#files.edit(before.document, { set: message, path: ['entries', index, 'message'] });
    const shown = [packageName, name].filter((part) => part !== undefined).join('/');
    this.#steps.push(`${(before ?? found).document.file}: ${schema} ${shown} is deprecated`);
  }

  #packageOf(name: string): Located<CatalogPackage> | undefined {
    return this.catalog().packages.find(({ value }) => value.name === name);
  }

  /** The document of the package, which is created if it is missing. */
  #package(bundle: Bundle, name: string, defaultChannel: string): CatalogDocument {
    const found = this.#packageOf(name);
    if (found !== undefined) return found.document;
    const path = `${name}/package.yaml`;
    const document = { schema: 'olm.package', name, defaultChannel, ...shownOf(bundle) };
    this.#files.append(path, this.#write(document, 'yaml'));
    this.#steps.push(`${path}: new package ${name}`);
    const created = this.#packageOf(name);
    if (created === undefined) throw new Error(`${path} does not contain the package that was written`);
    return created.document;
  }

  #putBundle(rendered: RenderedBundle, home: CatalogDocument, overwrite: boolean): void {
    const before = this.catalog().bundles.find(
      ({ value }) => value.package === rendered.package && value.name === rendered.name,
    );
    if (before === undefined) {
      const path = posix.join(posix.dirname(home.file), 'bundles', `${rendered.name}.${home.format}`);
      this.#files.append(path, this.#write(rendered, home.format));
      this.#steps.push(`${path}: new bundle ${rendered.name}`);
      return;
    }
    const { document } = before;
    const parsed = parseDocument(document);
    if ('value' in parsed && jsonEqual(parsed.value, rendered)) return;
    if (!overwrite) {
      const problem = `${document.file}:${document.line}: the catalog has another ${rendered.name}`;
      throw new CatalogUpdateError(
        `${problem}; give the bundle a new version, or pass --overwrite if it is not published`,
      );
    }
    this.#files.replace(document, this.#write(rendered, document.format));
    this.#steps.push(`${document.file}: changed bundle ${rendered.name}`);
  }

  #addToChannel(
    bundle: Bundle,
    { name, package: packageName }: RenderedBundle,
    channel: string,
    home: CatalogDocument,
    addition: BundleAddition,
  ): void {
    const catalog = this.catalog();
    const found = catalog.channels.find(({ value }) => value.package === packageName && value.name === channel);
    const entries = found?.value.entries ?? [];
    if (entries.some((entry) => entry.name === name)) return;
    const version = parseVersion(bundle.csv.spec?.version ?? '');
    if (version === undefined) {
      throw new CatalogUpdateError(
        `${name}: ${JSON.stringify(bundle.csv.spec?.version ?? '')} is not a semantic version; write spec.version as 1.2.3`,
      );
    }
    const { replaces, skips } = bundle.csv.spec ?? {};
    const graph = graphOf(entries, versionsOf(catalog, packageName));
    const { entry, skippedBy } = deriveEntry(graph, {
      name,
      version,
      replaces: addition.replaces ?? replaces,
      insists: addition.replaces !== undefined,
      skips: addition.skips ?? skips,
      skipRange: addition.skipRange ?? bundle.csv.metadata?.annotations?.['olm.skipRange'],
    });
    this.#writeEntry(found, entry, skippedBy, { packageName, channel, home });
  }

  #writeEntry(
    found: Located<CatalogChannel> | undefined,
    entry: ChannelEntry,
    skippedBy: string | undefined,
    { packageName, channel, home }: { packageName: string; channel: string; home: CatalogDocument },
  ): void {
    const rules = [
      ...(entry.replaces === undefined ? [] : [`replaces ${entry.replaces}`]),
      ...(entry.skips === undefined ? [] : [`skips ${entry.skips.join(', ')}`]),
      ...(entry.skipRange === undefined ? [] : [`skips the range ${entry.skipRange}`]),
    ];
    const file = found?.document.file ?? home.file;
    this.#steps.push(
      `${file}: channel ${channel}: ${entry.name} ${rules.length === 0 ? 'replaces nothing' : rules.join(', ')}`,
    );
    if (found === undefined) {
      const document = { schema: 'olm.channel', package: packageName, name: channel, entries: [entry] };
      this.#files.append(home.file, this.#write(document, home.format));
      return;
    }
    this.#files.edit(found.document, { append: entry, path: ['entries'] });
    if (skippedBy === undefined) return;
    const current = this.catalog().channels.find(
      ({ value }) => value.package === packageName && value.name === channel,
    );
    const index = current?.value.entries?.findIndex(({ name }) => name === skippedBy) ?? -1;
    if (current === undefined || index === -1) return;
    this.#files.edit(current.document, { append: entry.name, path: ['entries', index, 'skips'] });
    this.#steps.push(`${file}: channel ${channel}: ${skippedBy} skips ${entry.name}, which is older`);
  }
}

/** What a package shows of a bundle. */
function shownOf({ csv }: Bundle): Pick<AvailableBundle, 'description' | 'icon'> {
  const { description, icon: [icon] = [] } = csv.spec ?? {};
  return {
    ...(description ? { description } : {}),
    ...(icon?.base64data && icon.mediatype ? { icon: { base64data: icon.base64data, mediatype: icon.mediatype } } : {}),
  };
}

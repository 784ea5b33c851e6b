import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type AnyClass, EvenkeelError } from '@evenkeel/core';
import { injectionAnnotations, plannedCertificates, webhookClientConfig } from '@evenkeel/core/certificates';
import {
  ClassSources,
  customResourcesIn,
  type Finding,
  findingText,
  type Generation,
  type GenerationOptions,
  generateCustomResourceDefinitions,
  OxcSourceReader,
  type SourceLocation,
  withConversionWebhook,
} from '@evenkeel/schema';
import { checkConfig, type LoadedConfig } from '../load/load-config.ts';
import { namespaceOf } from '../load/load-deployment-config.ts';
import type { ModuleExports, ModuleLoader } from '../load/module-loader.ts';
import { packageCopies } from '../load/package-copies.ts';
import { ProjectSettings } from '../load/project-settings.ts';
import { checkApis } from './check-apis.ts';
import { type CheckedOperator, checkOperator } from './check-operator.ts';
import type { GeneratedKinds, GenerationRequest, GenerationTimings, ReportedFinding } from './generation.ts';

type LoadedModules = ReadonlyMap<string, ModuleExports>;

/** A project with its modules loaded and checked. */
export interface LoadedProject {
  /** Its findings, with file paths relative to the folder of the request. */
  readonly findings: readonly ReportedFinding[];
  /** Undefined if the configuration is invalid. Incomplete if a finding is an error. */
  readonly contents: ProjectContents | undefined;
  /** The paths of the files that were read for the CRDs: the modules of the API, and what they import, types included. */
  readonly read: readonly string[];
  readonly timings: Omit<GenerationTimings, 'yamlMs'>;
}

export interface ProjectContents {
  readonly config: LoadedConfig;
  /** The modules that loaded, by URL. */
  readonly modules: LoadedModules;
  /** The classes whose CRDs are generated. */
  readonly classes: readonly AnyClass[];
  readonly definitions: Generation['definitions'];
  /** What follows from the classes, without the address of the conversion webhook. */
  readonly generated: GeneratedKinds;
  /** Undefined if the project has no operator, or if its module did not load. */
  readonly operator: CheckedOperator | undefined;
}

/**
 * Loads the modules of a configuration, builds the CRDs of their classes and checks their controllers. All commands use
 * it. Does not throw for mistakes of the user; it returns all of them as findings.
 *
 * @param progress is called with a description of each next step.
 */
export async function loadProject(
  request: GenerationRequest,
  loader: ModuleLoader,
  progress: (doing: string) => void,
  options: LoadProjectOptions = {},
): Promise<LoadedProject> {
  return new ProjectLoading(request, loader, progress, options).project();
}

export interface LoadProjectOptions {
  /**
   * Returns the CRDs with which the new ones are compared, with file paths relative to the folder of the request. It throws
   * `invalid-config`. Default: none.
   */
  readonly previous?: (config: LoadedConfig, folder: string) => Promise<NonNullable<GenerationOptions['previous']>>;
  /**
   * The result of an earlier load without errors, if none of the files that it read has changed since. The CRDs are then not generated
   * again. Default: none.
   */
  readonly generated?: GeneratedKinds | undefined;
}

class ProjectLoading {
  readonly #configPath: string;
  readonly #folder: string;
  readonly #loader: ModuleLoader;
  readonly #options: LoadProjectOptions;
  readonly #progress: (doing: string) => void;
  readonly #findings: Finding[] = [];
  readonly #projectSettings: ProjectSettings;
  readonly #timings = { loadMs: 0, sourceMs: 0, schemaMs: 0 };
  readonly #files = new Set<string>();

  constructor(
    { configPath, folder }: GenerationRequest,
    loader: ModuleLoader,
    progress: (doing: string) => void,
    options: LoadProjectOptions,
  ) {
    this.#configPath = configPath;
    this.#folder = folder;
    this.#options = options;
    this.#loader = loader;
    this.#progress = progress;
    this.#projectSettings = new ProjectSettings(dirname(configPath));
  }

  async project(): Promise<LoadedProject> {
    const contents = await this.#contents();
    this.#findings.push(...packageCopies(this.#loader.graph, this.#folder));
    this.#findings.push(...this.#settings(contents?.operator));
    return { findings: this.#reported(), contents, read: [...this.#files], timings: this.#timings };
  }

  async #contents(): Promise<ProjectContents | undefined> {
    const config = await this.#timed('loadMs', () => this.#config());
    if (config === undefined) return undefined;
    const modules = await this.#timed('loadMs', () => this.#load(config));
    const { classes, generated } = await this.#generated(config, modules);
    const made = await this.#timed('schemaMs', async () => {
      const operator = await checkOperator(config, modules, new Set(classes), generated, {
        read: () => this.#read([...modules.keys()], modules),
        modules: () => this.#loader.graph.userModules(),
      });
      this.#findings.push(...(operator?.findings ?? []));
      const { declaration } = operator ?? {};
      if (declaration === undefined || this.#findings.some(({ level }) => level === 'error')) {
        return { classes, generated, definitions: generated.definitions, operator };
      }
      const place = { name: declaration.name, namespace: namespaceOf(config, declaration) };
      const certificates = plannedCertificates(declaration.webhookServer);
      const annotations = certificates.source === 'cert-manager' ? injectionAnnotations(place) : {};
      const webhook = webhookClientConfig(certificates, place, '/convert');
      const definitions = generated.definitions.map((definition) =>
        withConversionWebhook(definition, webhook, annotations),
      );
      return { classes, generated, definitions, operator };
    });
    return { config, modules, ...made };
  }

  /** The classes of the API and their CRDs. */
  async #generated(
    config: LoadedConfig,
    modules: LoadedModules,
  ): Promise<{ readonly classes: readonly AnyClass[]; readonly generated: GeneratedKinds }> {
    if (this.#options.generated !== undefined && config.apis.every((url) => modules.has(url))) {
      return { classes: classesIn(config, modules), generated: this.#options.generated };
    }
    this.#progress('reading the sources of the modules');
    const sources = await this.#timed('sourceMs', () => this.#read(config.apis, modules));
    this.#progress('building the CRDs');
    return await this.#timed('schemaMs', async () => {
      const classes = this.#classes(config, modules, sources);
      const previous = await this.#orInvalid(async () => this.#options.previous?.(config, this.#folder));
      const { findings, ...generated } = await generateCustomResourceDefinitions(classes, {
        sources,
        ...config.generation,
        ...(previous === undefined ? {} : { previous }),
      });
      this.#findings.push(...findings);
      return { classes, generated };
    });
  }

  async #config(): Promise<LoadedConfig | undefined> {
    const exports = await this.#loadOne(pathToFileURL(this.#configPath).href);
    if (exports === undefined) return undefined;
    return this.#orInvalid(async () => checkConfig(this.#configPath, exports['default'], this.#folder));
  }

  /** Returns undefined after an error of the configuration, which becomes a finding. */
  async #orInvalid<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.#findings.push({ level: 'error', code: error.code, className: '', message: error.message });
      return undefined;
    }
  }

  /** One after the other, so that a module that never finishes is known by name. */
  async #load(config: LoadedConfig): Promise<LoadedModules> {
    const modules = new Map<string, ModuleExports>();
    // The configuration, which is loaded already, is not one of the project's sources.
    this.#loader.keepsImports = (path) => this.#projectSettings.keepsImports(path);
    for (const url of new Set([...config.apis, ...(config.operator === undefined ? [] : [config.operator])])) {
      const exports = await this.#loadOne(url);
      if (exports !== undefined) modules.set(url, exports);
    }
    // Node reports unhandled rejections when the microtask queue is empty.
    await new Promise((resolve) => setImmediate(resolve));
    return modules;
  }

  async #loadOne(url: string): Promise<ModuleExports | undefined> {
    this.#progress(`loading ${relative(this.#folder, fileURLToPath(url))}`);
    return this.#loader.load(url);
  }

  async #read(urls: readonly string[], modules: LoadedModules): Promise<ClassSources> {
    const reader = new OxcSourceReader();
    return ClassSources.read(
      urls.filter((url) => modules.has(url)),
      {
        reader: {
          read: (path, text) => {
            this.#files.add(path);
            return reader.read(path, text);
          },
        },
        importModule: async (url) => modules.get(url) ?? (await this.#loader.load(url)) ?? {},
        resolveModule: (specifier, from) => this.#loader.resolve(specifier, from),
      },
    );
  }

  /** Also if modules did not load, because the settings may be the reason. */
  #settings(operator: CheckedOperator | undefined): Finding[] {
    const { graph } = this.#loader;
    const config = pathToFileURL(realpathSync(this.#configPath)).href;
    return this.#projectSettings.findings({
      modules: graph.userModules().filter((url) => url !== config),
      hasDecorators: graph.hasDecorators,
      injects: operator?.injects ?? false,
    });
  }

  #classes(config: LoadedConfig, modules: LoadedModules, sources: ClassSources): AnyClass[] {
    const classes = classesIn(config, modules);
    this.#findings.push(...checkApis(config, modules, classes, sources));
    const isAllLoaded = config.apis.every((url) => modules.has(url));
    if (classes.length === 0 && isAllLoaded && !this.#findings.some(({ level }) => level === 'error')) {
      this.#findings.push({
        level: 'error',
        code: 'missing-custom-resource',
        className: '',
        message: `${relative(this.#folder, this.#configPath)}: no module of "apis" exports a class with @CustomResource; add one`,
      });
    }
    return classes;
  }

  #reported(): ReportedFinding[] {
    const failures = this.#loader.failures.map(({ finding, stack }) => ({ ...this.#fromFolder(finding), stack }));
    return [...failures, ...this.#findings.map((finding) => this.#fromFolder(finding))];
  }

  #fromFolder(finding: Finding): ReportedFinding {
    const { details } = finding;
    const shown: Finding = {
      ...this.#placedFromFolder(finding),
      ...(details === undefined ? {} : { details: details.map((detail) => this.#placedFromFolder(detail)) }),
    };
    return { ...shown, text: findingText(shown) };
  }

  #placedFromFolder<T extends { readonly location?: SourceLocation; readonly related?: SourceLocation }>(placed: T): T {
    const { location, related } = placed;
    const fromHere = (place: SourceLocation) => ({ ...place, file: relative(this.#folder, place.file) });
    return {
      ...placed,
      ...(location === undefined ? {} : { location: fromHere(location) }),
      ...(related === undefined ? {} : { related: fromHere(related) }),
    };
  }

  async #timed<T>(name: keyof LoadedProject['timings'], run: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await run();
    this.#timings[name] += performance.now() - started;
    return result;
  }
}

function classesIn({ apis }: LoadedConfig, modules: LoadedModules): AnyClass[] {
  return [...new Set(apis.flatMap((url) => customResourcesIn(modules.get(url) ?? {})))];
}

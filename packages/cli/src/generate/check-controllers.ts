import { fileURLToPath } from 'node:url';
import {
  type AnyClass,
  type ConcreteClass,
  type ControllerMistake,
  type ControllerPlan,
  callSiteOf,
  declarationsOf,
  holdsWholeCluster,
  planControllers,
  reconcilesWholeCluster,
  wordOf,
} from '@evenkeel/core';
import { type PlannedRbac, planRbac } from '@evenkeel/core/rbac';
import type { ClassSources, Finding } from '@evenkeel/schema';
import type { LoadedConfig } from '../load/load-config.ts';
import type { ModuleExports } from '../load/module-loader.ts';

/** The controllers of a project, and what is wrong with them. */
export interface CheckedControllers {
  readonly findings: readonly Finding[];
  /** Of the controllers without a mistake. */
  readonly plans: readonly ControllerPlan[];
  /** What other classes of their modules, and of those of services, ask for by `@Rbac`. */
  readonly services: readonly PlannedRbac[];
}

/**
 * Reads the controllers of loaded modules, and finds what is wrong with them before any manager runs them: the check that
 * the wiring makes, and what only the configuration can tell.
 *
 * @param classes those that CRDs are made of.
 * @param read reads the sources of modules; called only where something has a place to be told.
 */
export async function checkControllers(
  config: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  classes: ReadonlySet<AnyClass>,
  read: (urls: readonly string[]) => Promise<ClassSources>,
): Promise<CheckedControllers> {
  const findings: Finding[] = [];
  const controllers = new Set<AnyClass>();
  const uncalled = await uncalledDecorators(config.controllers, modules, read);
  findings.push(...uncalled);
  const isTold = (url: string) => uncalled.some(({ location }) => location?.file === fileURLToPath(url));
  for (const [url, exports] of modules) {
    const found = classesIn(exports);
    const own = found.filter(declaresController);
    if (config.controllers.includes(url)) for (const type of own) controllers.add(type);
    const isNamed = !config.matched.has(url);
    if (isNamed && config.controllers.includes(url) && own.length === 0 && !isTold(url)) {
      findings.push(
        nothingIn(
          url,
          'missing-controller',
          'it exports no class with @Controller; add @Controller(YourKind) above the class, export it, or take the module out of "controllers"',
        ),
      );
    }
    if (isNamed && config.services.includes(url) && found.length === 0) {
      findings.push(
        nothingIn(
          url,
          'missing-service',
          'it exports no class, so it has no service; export the class, or take the module out of "services"',
        ),
      );
    }
  }
  const declared = [...controllers].filter((type) => !isBaseOfAny(type, controllers));
  const { plans, mistakes } = planControllers(declared);
  const unprovided = await unprovidedParameters(config, modules, declared, plans);
  const strangers = plans.filter((plan) => isNotGenerated(plan, classes));
  const large = config.rbac?.namespaces === undefined ? plans.flatMap(wholeClusterNotices) : [];
  const asked = askedByOthers(config, modules, controllers);
  const wrong = [...mistakes, ...unprovided, ...asked.mistakes];
  if (wrong.length === 0 && strangers.length === 0 && large.length === 0)
    return { findings, plans, services: asked.rules };
  const sources = await read([...modules.keys()]);
  const located = (type: AnyClass) => {
    const source = callSiteOf(type) ?? sources.sourceOf(type);
    return source === undefined ? {} : { location: { file: source.file, line: source.line } };
  };
  findings.push(...wrong.map((mistake) => findingOf(mistake, located)));
  const notice = (code: Finding['code'], controllerClass: AnyClass, message: string): Finding => ({
    level: 'notice',
    code,
    className: controllerClass.name,
    ...located(controllerClass),
    message,
  });
  for (const { controllerClass, kind, resource } of strangers) {
    const message = `it reconciles ${kind.name}, which no module of "apis" exports, so no CRD is made for ${resource.plural}.${resource.group}; name its module there, or leave it to whoever installs that CRD`;
    findings.push(notice('kind-not-generated', controllerClass, message));
  }
  for (const { controllerClass, said, mend } of large) {
    const message = `${said} holds every one of the cluster in memory, which a manager without "namespaces" or a "cache" for that kind refuses at its start; ${mend}`;
    findings.push(notice('whole-cluster-watch', controllerClass, message));
  }
  return { findings, plans, services: asked.rules };
}

/**
 * Classes of controllers whose decorators are written without parentheses. What such a decorator returns stands in the place
 * of the class then, so that the class is not there when the program runs; only the source tells.
 *
 * @param urls the modules of controllers.
 */
async function uncalledDecorators(
  urls: readonly string[],
  modules: ReadonlyMap<string, ModuleExports>,
  read: (urls: readonly string[]) => Promise<ClassSources>,
): Promise<Finding[]> {
  const suspects = urls.filter((url) => Object.values(modules.get(url) ?? {}).some(mayBeDecorator));
  if (suspects.length === 0) return [];
  const sources = await read(suspects);
  const written = new Map(suspects.flatMap((url) => sources.classesOf(url).map((it) => [it.source, it])));
  return [...written.values()].flatMap(({ source: { name, file, line }, decorators }) =>
    decorators
      .filter((decorator) => !decorator.isCalled && Object.hasOwn(calledWith, decorator.name))
      .map(
        (decorator): Finding => ({
          level: 'error',
          code: 'decorator-not-called',
          className: name,
          location: { file, line },
          message: `@${decorator.name} is written without parentheses; write @${decorator.name}(${calledWith[decorator.name]})`,
        }),
      ),
  );
}

/** The decorators of a controller's class, and what they are given. */
const calledWith: Readonly<Record<string, string>> = { Controller: 'YourKind', Owns: 'ItsChild' };

function mayBeDecorator(exported: unknown): boolean {
  return typeof exported === 'function' && exported.prototype === undefined;
}

/**
 * What constructors ask for and nobody provides. While a module does not load, what it would have provided is not known. Loads
 * the runtime, which knows what a manager provides: only where a constructor asks for anything, and then the modules of
 * controllers have mostly loaded it before.
 */
async function unprovidedParameters(
  { services, controllers: urls }: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  controllers: readonly AnyClass[],
  plans: readonly ControllerPlan[],
): Promise<readonly ControllerMistake[]> {
  const isAllLoaded = [...urls, ...services].every((url) => modules.has(url));
  const asking = controllers.some((type) => constructorAsks(type));
  if (!isAllLoaded || !asking) return [];
  const { injectionMistakes } = await import('@evenkeel/runtime');
  const provided = services.flatMap((url) => classesIn(modules.get(url) ?? {}));
  return injectionMistakes(concrete(controllers), concrete(provided), plans, listedIn);
}

/** The main module may list it, too; that is another list. */
const listedIn = 'a module of "services" in the configuration';

/** Whether a class is abstract is gone when modules run. */
function concrete(classes: readonly AnyClass[]): ConcreteClass[] {
  return [...new Set(classes)] as unknown as ConcreteClass[];
}

/** Also where a base class has the constructor, whose parameters the length of the derived one does not count. */
function constructorAsks(type: AnyClass): boolean {
  const parameters: unknown = Reflect.getMetadata('design:paramtypes', type);
  return type.length > 0 || (Array.isArray(parameters) && parameters.length > 0);
}

interface WholeClusterNotice {
  readonly controllerClass: AnyClass;
  readonly said: string;
  readonly mend: string;
}

/** What a manager refuses at its start, unless it is told more than is known here. */
function wholeClusterNotices(plan: ControllerPlan): WholeClusterNotice[] {
  const { controllerClass, kind, watches } = plan;
  const word = (decorator: 'Controller' | 'Watches', { name }: AnyClass) =>
    `${wordOf(controllerClass, decorator)}(${name})`;
  const meant = 'say { wholeCluster: true } where that is meant';
  const primary = reconcilesWholeCluster(plan)
    ? [{ controllerClass, said: word('Controller', kind), mend: `give it one of them, or ${meant}` }]
    : [];
  const watched = watches.filter(holdsWholeCluster).map((watch) => ({
    controllerClass,
    said: `${word('Watches', watch.kind)} on ${watch.method}`,
    mend: `write ${wordOf(controllerClass, 'Watches')}(Metadata(${watch.kind.name})) and read the few you need with the Client, select with { labels }, or ${meant}`,
  }));
  return [...primary, ...watched];
}

/** What `@Rbac` above services says, and above whatever else the modules export. */
function askedByOthers(
  config: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  controllers: ReadonlySet<AnyClass>,
): { rules: PlannedRbac[]; mistakes: ControllerMistake[] } {
  const mistakes: ControllerMistake[] = [];
  const urls = new Set([...config.controllers, ...config.services]);
  const others = new Set([...urls].flatMap((url) => classesIn(modules.get(url) ?? {})));
  const rules = [...others]
    .filter((type) => declarationsOf(type).controller === undefined && !controllers.has(type))
    .filter((type) => !isBaseOfAny(type, controllers))
    .flatMap((type) => planRbac(type, (mistake) => mistakes.push({ ...mistake, controllerClass: type })));
  return { rules, mistakes };
}

/** Every class that a module exports, each once. */
export function classesIn(exports: ModuleExports): AnyClass[] {
  const found = Object.values(exports).filter(
    (exported) => typeof exported === 'function' && exported.prototype !== undefined,
  );
  return [...new Set(found)] as unknown as AnyClass[];
}

function declaresController(type: AnyClass): boolean {
  const { controller, owns, watches, reconciles } = declarationsOf(type);
  return controller !== undefined || owns.length > 0 || watches.length > 0 || reconciles.length > 0;
}

/** What controllers have in common may stand in a class that is none itself. */
function isBaseOfAny(type: AnyClass, controllers: ReadonlySet<AnyClass>): boolean {
  if (declarationsOf(type).controller !== undefined) return false;
  return [...controllers].some((other) => other.prototype instanceof type);
}

/** A custom kind that is none of ours. Built-in kinds have no `@CustomResource`. */
function isNotGenerated({ kind }: ControllerPlan, classes: ReadonlySet<AnyClass>): boolean {
  return declarationsOf(kind).customResource !== undefined && !classes.has(kind);
}

function findingOf(
  { code, controllerClass, method, message }: ControllerMistake,
  located: (type: AnyClass) => Pick<Finding, 'location'>,
): Finding {
  return {
    level: 'error',
    code,
    className: controllerClass.name,
    ...(method === undefined ? {} : { property: method }),
    ...located(controllerClass),
    message,
  };
}

function nothingIn(url: string, code: Finding['code'], message: string): Finding {
  return { level: 'error', code, className: '', location: { file: fileURLToPath(url), line: 1 }, message };
}

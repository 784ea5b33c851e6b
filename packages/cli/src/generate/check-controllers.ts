import { fileURLToPath } from 'node:url';
import {
  type AnyClass,
  type ConcreteClass,
  type ControllerMistake,
  type ControllerPlan,
  callSiteOf,
  declarationsOf,
  holdsWholeCluster,
  isInversifyModule,
  isProvider,
  planControllers,
  reconcilesWholeCluster,
  type ServiceEntry,
  serviceClassesOf,
  wordOf,
} from '@evenkeel/core';
import { type PlannedRbac, planRbac } from '@evenkeel/core/rbac';
import type { InjectionMistake } from '@evenkeel/runtime';
import type { ClassSources, Finding } from '@evenkeel/schema';
import type { LoadedConfig } from '../load/load-config.ts';
import type { ModuleExports } from '../load/module-loader.ts';

/** The controllers of a project, and their mistakes. */
export interface CheckedControllers {
  readonly findings: readonly Finding[];
  /** Of the controllers without a mistake. */
  readonly plans: readonly ControllerPlan[];
  /** The `@Rbac` rules of other classes in these modules and in the modules of services. */
  readonly services: readonly PlannedRbac[];
}

/**
 * Reads the controllers of loaded modules and finds their mistakes before a manager runs them: the same checks as at
 * the manager's start, and those that need the configuration.
 *
 * @param classes the classes whose CRDs are generated.
 * @param read reads the sources of modules. Only called if a finding needs a location.
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
  const isReported = (url: string) => uncalled.some(({ location }) => location?.file === fileURLToPath(url));
  for (const [url, exports] of modules) {
    const own = classesIn(exports).filter(declaresController);
    if (config.controllers.includes(url)) for (const type of own) controllers.add(type);
    const isNamed = !config.matched.has(url);
    if (isNamed && config.controllers.includes(url) && own.length === 0 && !isReported(url)) {
      findings.push(
        nothingIn(
          url,
          'missing-controller',
          'it exports no class with @Controller; add @Controller(YourKind) above the class, export it, or remove the module from "controllers"',
        ),
      );
    }
    if (isNamed && config.services.includes(url) && servicesIn(exports).length === 0) {
      findings.push(
        nothingIn(
          url,
          'missing-service',
          'it exports no class, provider or inversify module, so it provides no service; export one, or remove the module from "services"',
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
  const wrong = [...mistakes.map(mistakeOfClass), ...unprovided, ...asked.mistakes.map(mistakeOfClass)];
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
    const message = `it reconciles ${kind.name}, which no module of "apis" exports, so no CRD is generated for ${resource.plural}.${resource.group}; add its module to "apis", or ignore this if the CRD comes from another project`;
    findings.push(notice('kind-not-generated', controllerClass, message));
  }
  for (const { controllerClass, declaration, fix } of large) {
    const message = `${declaration} caches every object of the kind in the cluster, so a manager without "namespaces" or a "cache" for this kind fails at its start; ${fix}`;
    findings.push(notice('whole-cluster-watch', controllerClass, message));
  }
  return { findings, plans, services: asked.rules };
}

/**
 * Finds controller classes whose decorators lack parentheses. The class is then replaced by the decorator's result and
 * does not exist when the program runs; only the source shows it.
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
          message: `@${decorator.name} has no effect without parentheses; write @${decorator.name}(${calledWith[decorator.name]})`,
        }),
      ),
  );
}

/** The decorators of a controller class, with an example argument. */
const calledWith: Readonly<Record<string, string>> = { Controller: 'YourKind', Owns: 'ItsChild' };

function mayBeDecorator(exported: unknown): boolean {
  return typeof exported === 'function' && exported.prototype === undefined;
}

/**
 * Finds parameters that nothing provides, and mistakes of providers. If a module did not load, its services are unknown, so nothing is
 * reported. Imports the runtime, which knows what a manager provides, only if something asks for a service; usually the
 * modules of controllers have already loaded it.
 */
async function unprovidedParameters(
  { services, controllers: urls }: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  controllers: readonly AnyClass[],
  plans: readonly ControllerPlan[],
): Promise<readonly InjectionMistake[]> {
  const isAllLoaded = [...urls, ...services].every((url) => modules.has(url));
  const provided = services.flatMap((url) => servicesIn(modules.get(url) ?? {}));
  const asking = provided.some(isProvider) || controllers.some(constructorAsks) || plans.some(runAsks);
  if (!isAllLoaded || !asking) return [];
  const { injectionMistakes } = await import('@evenkeel/runtime');
  return injectionMistakes(concrete(controllers), [...new Set(provided)], plans, listedIn);
}

/** The name of this list in messages; the main module has its own list. */
const listedIn = 'a module of "services" in the configuration';

/** At run time, abstract classes cannot be distinguished. */
function concrete(classes: readonly AnyClass[]): ConcreteClass[] {
  return [...new Set(classes)] as unknown as ConcreteClass[];
}

/** Also covers an inherited constructor, whose parameters the length of the derived class does not count. */
function constructorAsks(type: AnyClass): boolean {
  const parameters: unknown = Reflect.getMetadata('design:paramtypes', type);
  return type.length > 0 || (Array.isArray(parameters) && parameters.length > 0);
}

/** Whether a reconcile or finalizer method has parameters after the context. */
function runAsks({ controllerClass, reconcileMethod, finalizers }: ControllerPlan): boolean {
  const methods = [reconcileMethod, ...finalizers.map(({ method }) => method)];
  return methods.some((method) => {
    const found: unknown = Reflect.get(controllerClass.prototype as object, method);
    return typeof found === 'function' && found.length > 2;
  });
}

interface WholeClusterNotice {
  readonly controllerClass: AnyClass;
  readonly declaration: string;
  readonly fix: string;
}

/** Watches that a manager rejects at its start, unless it has options that are not known here. */
function wholeClusterNotices(plan: ControllerPlan): WholeClusterNotice[] {
  const { controllerClass, kind, watches } = plan;
  const word = (decorator: 'Controller' | 'Watches', { name }: AnyClass) =>
    `${wordOf(controllerClass, decorator)}(${name})`;
  const meant = 'write { wholeCluster: true } if this is intended';
  const primary = reconcilesWholeCluster(plan)
    ? [{ controllerClass, declaration: word('Controller', kind), fix: `set one of them, or ${meant}` }]
    : [];
  const watched = watches.filter(holdsWholeCluster).map((watch) => ({
    controllerClass,
    declaration: `${word('Watches', watch.kind)} on ${watch.method}`,
    fix: `write ${wordOf(controllerClass, 'Watches')}(Metadata(${watch.kind.name})) and read single objects with the Client, select with { labels }, or ${meant}`,
  }));
  return [...primary, ...watched];
}

/** The `@Rbac` rules of services and of other classes that the modules export. */
function askedByOthers(
  config: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  controllers: ReadonlySet<AnyClass>,
): { rules: PlannedRbac[]; mistakes: ControllerMistake[] } {
  const mistakes: ControllerMistake[] = [];
  const urls = new Set([...config.controllers, ...config.services]);
  const others = serviceClassesOf([...urls].flatMap((url) => servicesIn(modules.get(url) ?? {})));
  const rules = others
    .filter((type) => declarationsOf(type).controller === undefined && !controllers.has(type))
    .filter((type) => !isBaseOfAny(type, controllers))
    .flatMap((type) => planRbac(type, (mistake) => mistakes.push({ ...mistake, controllerClass: type })));
  return { rules, mistakes };
}

/** Returns every service that a module exports: classes, providers and modules of inversify, also those in exported lists. */
export function servicesIn(exports: ModuleExports): ServiceEntry[] {
  const exported = Object.values(exports).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
  const found = exported.filter((value) => isClass(value) || isProvider(value) || isInversifyModule(value));
  return [...new Set(found)] as ServiceEntry[];
}

/** Returns every class that a module exports, each once. */
export function classesIn(exports: ModuleExports): AnyClass[] {
  return [...new Set(Object.values(exports).filter(isClass))];
}

function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function' && value.prototype !== undefined;
}

function declaresController(type: AnyClass): boolean {
  const { controller, owns, watches, reconciles } = declarationsOf(type);
  return controller !== undefined || owns.length > 0 || watches.length > 0 || reconciles.length > 0;
}

/** A base class may contain what controllers share without being a controller. */
function isBaseOfAny(type: AnyClass, controllers: ReadonlySet<AnyClass>): boolean {
  if (declarationsOf(type).controller !== undefined) return false;
  return [...controllers].some((other) => other.prototype instanceof type);
}

/** Whether the kind is a custom resource that this project does not generate. Built-in kinds have no `@CustomResource`. */
function isNotGenerated({ kind }: ControllerPlan, classes: ReadonlySet<AnyClass>): boolean {
  return declarationsOf(kind).customResource !== undefined && !classes.has(kind);
}

/** A mistake of a controller in the form of a mistake in what is injected. */
function mistakeOfClass({ code, controllerClass, method, message }: ControllerMistake): InjectionMistake {
  return { code, target: controllerClass, method, problem: message };
}

function findingOf(
  { code, target, method, problem }: InjectionMistake,
  located: (type: AnyClass) => Pick<Finding, 'location'>,
): Finding {
  return {
    level: 'error',
    code,
    className: target?.name ?? '',
    ...(method === undefined ? {} : { property: method }),
    ...(target === undefined ? {} : located(target)),
    message: problem,
  };
}

function nothingIn(url: string, code: Finding['code'], message: string): Finding {
  return { level: 'error', code, className: '', location: { file: fileURLToPath(url), line: 1 }, message };
}

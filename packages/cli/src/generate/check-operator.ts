import { fileURLToPath } from 'node:url';
import {
  type AnyClass,
  type ConcreteClass,
  type ControllerMistake,
  type ControllerPlan,
  callSiteOf,
  declarationsOf,
  EvenkeelError,
  holdsWholeCluster,
  isInversifyModule,
  isProvider,
  type KindClass,
  planControllers,
  reconcilesWholeCluster,
  type ServiceEntry,
  serviceClassesOf,
  wordOf,
} from '@evenkeel/core';
import { plannedCertificates } from '@evenkeel/core/certificates';
import { type PlannedRbac, planRbac } from '@evenkeel/core/rbac';
import type { PolicyPlan, WebhookPlan } from '@evenkeel/core/webhook';
import type { InjectionMistake, Operator } from '@evenkeel/runtime';
import type { ClassSources, Finding, WrittenClass } from '@evenkeel/schema';
import type { LoadedConfig } from '../load/load-config.ts';
import { namespaceOf } from '../load/load-deployment-config.ts';
import type { ModuleExports } from '../load/module-loader.ts';
import { lossyWriteMistakes } from './check-lossy-writes.ts';
import type { GeneratedKinds } from './generation.ts';

/** The operator of a project, and its mistakes. */
export interface CheckedOperator {
  readonly findings: readonly Finding[];
  /** Undefined if the module exports none. */
  readonly declaration: Operator | undefined;
  /** Of the controllers without a mistake. */
  readonly plans: readonly ControllerPlan[];
  /** Of the webhooks without a mistake. */
  readonly webhooks: readonly WebhookPlan[];
  /** The classes for which policies are generated instead of webhooks. */
  readonly policies: readonly PolicyPlan[];
  /** Whether a constructor has parameters that are injected by their types. */
  readonly injects: boolean;
  /** The `@Rbac` rules of services and runnables. */
  readonly services: readonly PlannedRbac[];
}

/** The sources of a project. */
export interface ProjectSources {
  /** Reads them. Only called if a finding needs a location. */
  readonly read: () => Promise<ClassSources>;
  /** The URLs of all modules of the user that were loaded. */
  readonly modules: () => readonly string[];
}

/**
 * Reads the operator of a project and finds its mistakes before a manager runs it: the same checks as at the manager's
 * start, and those that need the configuration. Returns undefined if there is no operator, or if its module did not load.
 *
 * @param classes the classes whose CRDs are generated.
 * @param generated what follows from these classes.
 */
export async function checkOperator(
  config: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  classes: ReadonlySet<AnyClass>,
  generated: GeneratedKinds,
  sources: ProjectSources,
): Promise<CheckedOperator | undefined> {
  const exports = config.operator === undefined ? undefined : modules.get(config.operator);
  if (config.operator === undefined || exports === undefined) return undefined;
  // The operator's module has already loaded it. A project without operator does not.
  const runtime = { ...(await import('@evenkeel/runtime')), ...(await import('@evenkeel/runtime/cache')) };
  const declared = new Set(Object.values(exports).filter((value) => value instanceof runtime.Operator));
  const [operator] = declared;
  if (operator === undefined || declared.size > 1) {
    const findings = [notOneOperator(config.operator, declared.size)];
    return { findings, declaration: undefined, plans: [], webhooks: [], policies: [], injects: false, services: [] };
  }
  const namespace = namespaceOf(config, operator);
  return new OperatorCheck(operator, runtime, classes, generated, sources, namespace).checked();
}

type Runtime = typeof import('@evenkeel/runtime') & typeof import('@evenkeel/runtime/cache');

class OperatorCheck {
  readonly #operator: Operator;
  readonly #runtime: Runtime;
  readonly #classes: ReadonlySet<AnyClass>;
  readonly #generated: GeneratedKinds;
  readonly #sources: ProjectSources;
  readonly #namespace: string;
  readonly #findings: Finding[] = [];
  #read: Promise<ClassSources> | undefined;

  constructor(
    operator: Operator,
    runtime: Runtime,
    classes: ReadonlySet<AnyClass>,
    generated: GeneratedKinds,
    sources: ProjectSources,
    namespace: string,
  ) {
    this.#namespace = namespace;
    this.#operator = operator;
    this.#runtime = runtime;
    this.#classes = classes;
    this.#generated = generated;
    this.#sources = sources;
  }

  async checked(): Promise<CheckedOperator> {
    const operator = this.#operator;
    const controllers = listed(operator.controllers);
    this.#findings.push(...(await this.#ownMistakes()));
    const classesOnly = controllers.filter(isClass);
    const { plans, mistakes: inControllers } = planControllers(classesOnly);
    const webhookClasses = listed(operator.webhooks).filter(isClass);
    const { plans: webhooks, policies, mistakes: inWebhooks } = await plannedWebhooks(webhookClasses, plans, operator);
    const mistakes = [...inControllers, ...inWebhooks].map(mistakeOfClass);
    const injected = [...classesOnly, ...webhookClasses];
    const entries = [...listed(operator.services), ...listed(operator.runnables).filter(isClass)].filter(
      isServiceEntry,
    );
    const services = serviceClassesOf(entries);
    const rules = services.flatMap((type) =>
      planRbac(type, (mistake) => mistakes.push(mistakeOfClass({ ...mistake, controllerClass: type }))),
    );
    mistakes.push(...this.#runtime.injectionMistakes(concrete(injected), entries, plans, webhooks));
    mistakes.push(...(await this.#abstractClasses(entries)));
    mistakes.push(...lossyWriteMistakes({ controllers: plans, webhooks, services }, this.#generated.lossyWrites));
    for (const mistake of mistakes) this.#findings.push(await this.#findingOf(mistake));
    await this.#addConversions();
    await this.#addWebhooks(webhooks);
    await this.#addRules(webhooks, policies);
    if (mistakes.length === 0) await this.#addIndexes(plans);
    await this.#addNotices(plans);
    const injects = [...injected, ...services].some(hasParameters);
    return { findings: this.#findings, declaration: operator, plans, webhooks, policies, injects, services: rules };
  }

  /** The mistakes of the declaration itself, at the line of `defineOperator()`. */
  async #ownMistakes(): Promise<Finding[]> {
    const uncalled = await this.#uncalledDecorators();
    if (uncalled.length > 0) return uncalled;
    const location = this.#operator.place;
    const mistakes = this.#runtime.operatorMistakes(this.#operator);
    return (mistakes.length > 0 ? mistakes : certificateMistakes(this.#operator)).map(({ code, message }) => ({
      level: 'error',
      code,
      className: '',
      ...(location === undefined ? {} : { location }),
      message,
    }));
  }

  /**
   * Finds controller classes whose decorators lack parentheses. The class is then replaced by the decorator's result and
   * does not exist when the program runs; only the source shows it.
   */
  async #uncalledDecorators(): Promise<Finding[]> {
    if (!listed(this.#operator.controllers).some(mayBeDecorator)) return [];
    const sources = await this.#sourcesOnce();
    const written = new Map<unknown, WrittenClass>();
    for (const url of this.#sources.modules()) for (const one of sources.classesOf(url)) written.set(one.source, one);
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

  /** Reports versions whose CRD calls the operator's webhook server, which would not convert them. */
  async #addConversions(): Promise<void> {
    const listedClasses = new Set(listed(this.#operator.conversions));
    for (const type of this.#classes) {
      if (declarationsOf(type).customResource?.conversion === undefined || listedClasses.has(type)) continue;
      this.#findings.push({
        level: 'error',
        code: 'invalid-conversion',
        className: type.name,
        ...(await this.#located(type)),
        message: `it declares a conversion, but the operator does not convert it; add it to defineOperator(), as in conversions: [${type.name}]`,
      });
    }
  }

  /** Reports what the API server would reject in the configurations of webhooks, and what it accepts but authors rarely mean. */
  async #addWebhooks(plans: readonly WebhookPlan[]): Promise<void> {
    if (plans.length === 0) return;
    const { webhookFindings } = await import('./check-webhooks.ts');
    const operator = { namespace: this.#namespace };
    for (const plan of plans) {
      const { webhookClass } = plan;
      const missing = this.#runtime.missingValidator(plan, this.#operator).map(({ code, message }) => {
        return { level: 'error', code, message } as const;
      });
      for (const finding of [...missing, ...(await webhookFindings(plan, operator))]) {
        this.#findings.push({ ...finding, className: webhookClass.name, ...(await this.#located(webhookClass)) });
      }
    }
  }

  /** Reports mistakes in rules, and classes that ask for a policy but cannot be one. */
  async #addRules(webhooks: readonly WebhookPlan[], policies: readonly PolicyPlan[]): Promise<void> {
    const plans = [...webhooks, ...policies].filter((plan): plan is PolicyPlan => plan.rules !== undefined);
    if (plans.length === 0) return;
    const { ruleFindings } = await import('./check-rules.ts');
    const { minServerVersion } = this.#operator;
    for (const plan of plans) {
      const { webhookClass } = plan;
      const isPolicy = policies.includes(plan);
      const findings = await ruleFindings(plan, {
        isPolicy,
        minServerVersion,
        definitions: this.#generated.definitions,
      });
      for (const finding of findings) {
        this.#findings.push({ ...finding, className: webhookClass.name, ...(await this.#located(webhookClass)) });
      }
    }
  }

  /** Reports reads of indexes that no controller declares. */
  async #addIndexes(plans: readonly ControllerPlan[]): Promise<void> {
    const { indexFindings } = await import('./check-indexes.ts');
    this.#findings.push(...(await indexFindings(this.#sources.modules(), plans)));
  }

  /** Only the sources show that a class is abstract. Its instance would lack the abstract methods. */
  async #abstractClasses(entries: readonly ServiceEntry[]): Promise<InjectionMistake[]> {
    const made = entries.flatMap((entry) => {
      if (isProvider(entry)) return 'useClass' in entry && isClass(entry.useClass) ? [entry.useClass] : [];
      return isClass(entry) ? [entry] : [];
    });
    if (made.length === 0) return [];
    const sources = await this.#sourcesOnce();
    return [...new Set<AnyClass>(made)]
      .filter((type) => sources.sourceOf(type)?.isAbstract === true)
      .map((target) => ({
        code: 'invalid-provider',
        target,
        method: undefined,
        problem: `it is abstract, so \`services\` cannot create it; write { provide: ${target.name}, useClass: ... } with a class that extends it`,
      }));
  }

  async #addNotices(plans: readonly ControllerPlan[]): Promise<void> {
    const notice = async (code: Finding['code'], controllerClass: AnyClass, message: string): Promise<Finding> => ({
      level: 'notice',
      code,
      className: controllerClass.name,
      ...(await this.#located(controllerClass)),
      message,
    });
    for (const plan of plans.filter((each) => isNotGenerated(each, this.#classes))) {
      const { controllerClass, kind, resource } = plan;
      const message = `it reconciles ${kind.name}, which no module of "apis" exports, so no CRD is generated for ${resource.plural}.${resource.group}; add its module to "apis", or ignore this if the CRD comes from another project`;
      this.#findings.push(await notice('kind-not-generated', controllerClass, message));
    }
    if (this.#operator.namespaces !== undefined) return;
    for (const { controllerClass, declaration, fix } of plans.flatMap((plan) =>
      wholeClusterNotices(plan, (kind) => this.#runtime.narrowsKind(this.#operator.cache ?? [], kind)),
    )) {
      const message = `${declaration} caches every object of the kind in the cluster, so a run without the setting "namespaces" fails at its start; ${fix}`;
      this.#findings.push(await notice('whole-cluster-watch', controllerClass, message));
    }
  }

  async #findingOf({ code, target, method, problem }: InjectionMistake): Promise<Finding> {
    return {
      level: 'error',
      code,
      className: target?.name ?? '',
      ...(method === undefined ? {} : { property: method }),
      ...(target === undefined ? {} : await this.#located(target)),
      message: problem,
    };
  }

  async #located(type: AnyClass): Promise<Pick<Finding, 'location'>> {
    const source = callSiteOf(type) ?? (await this.#sourcesOnce()).sourceOf(type) ?? this.#operator.place;
    return source === undefined ? {} : { location: { file: source.file, line: source.line } };
  }

  #sourcesOnce(): Promise<ClassSources> {
    this.#read ??= this.#sources.read();
    return this.#read;
  }
}

/** Loaded only if there are webhooks. */
async function plannedWebhooks(
  classes: readonly AnyClass[],
  controllers: readonly ControllerPlan[],
  { minServerVersion, namespaces }: Pick<Operator, 'minServerVersion' | 'namespaces'>,
) {
  if (classes.length === 0) return { plans: [], policies: [], mistakes: [] };
  const { planWebhooks, policyKindsIn } = await import('@evenkeel/core/webhook');
  return planWebhooks(classes, controllers, { policyKinds: policyKindsIn(minServerVersion), namespaces });
}

function notOneOperator(url: string, found: number): Finding {
  const why =
    found === 0
      ? 'it exports no operator; write "export const operator = defineOperator({ name, controllers })"'
      : `it exports ${found} operators; write a module and a configuration for each`;
  return {
    level: 'error',
    code: 'operator-not-declared',
    className: '',
    location: { file: fileURLToPath(url), line: 1 },
    message: why,
  };
}

/** A list of a declaration that is perhaps no list, which has its own message. */
function listed(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

function isServiceEntry(entry: unknown): entry is ServiceEntry {
  return isClass(entry) || isProvider(entry) || isInversifyModule(entry);
}

/** A mistake of a controller in the form of a mistake in what is injected. */
function mistakeOfClass({ code, controllerClass, method, message }: ControllerMistake): InjectionMistake {
  return { code, target: controllerClass, method, problem: message };
}

function isClass(entry: unknown): entry is AnyClass {
  return typeof entry === 'function' && entry.prototype !== undefined;
}

/** The decorators of a controller class, with an example argument. */
const calledWith: Readonly<Record<string, string>> = { Controller: 'YourKind', Owns: 'ItsChild' };

function mayBeDecorator(entry: unknown): boolean {
  return typeof entry === 'function' && entry.prototype === undefined;
}

/** At run time, abstract classes cannot be distinguished. */
function concrete(classes: readonly AnyClass[]): ConcreteClass[] {
  return [...new Set(classes)] as unknown as ConcreteClass[];
}

/** Whether the compiler recorded the types of constructor parameters, of the class or of one that it extends. */
function hasParameters(type: AnyClass): boolean {
  const parameters: unknown = Reflect.getMetadata('design:paramtypes', type);
  return callSiteOf(type) === undefined && Array.isArray(parameters) && parameters.length > 0;
}

interface WholeClusterNotice {
  readonly controllerClass: AnyClass;
  readonly declaration: string;
  readonly fix: string;
}

/** Watches that a manager rejects at its start, unless the setting of its namespaces is not the declared one. */
function wholeClusterNotices(plan: ControllerPlan, isNarrowed: (kind: KindClass) => boolean): WholeClusterNotice[] {
  const { controllerClass, kind, watches } = plan;
  const word = (decorator: 'Controller' | 'Watches', { name }: AnyClass) =>
    `${wordOf(controllerClass, decorator)}(${name})`;
  const meant = 'write { wholeCluster: true } if this is intended';
  const primary =
    reconcilesWholeCluster(plan) && !isNarrowed(kind)
      ? [
          {
            controllerClass,
            declaration: word('Controller', kind),
            fix: `declare "namespaces" or a "cache" for it in defineOperator(), or ${meant}`,
          },
        ]
      : [];
  const watched = watches
    .filter((watch) => holdsWholeCluster(watch) && !isNarrowed(watch.kind))
    .map((watch) => ({
      controllerClass,
      declaration: `${word('Watches', watch.kind)} on ${watch.method}`,
      fix: `write ${wordOf(controllerClass, 'Watches')}(Metadata(${watch.kind.name})) and read single objects with the Client, select with { labels }, or ${meant}`,
    }));
  return [...primary, ...watched];
}

/** Whether the kind is a custom resource that this project does not generate. Built-in kinds have no `@CustomResource`. */
function isNotGenerated({ kind }: ControllerPlan, classes: ReadonlySet<AnyClass>): boolean {
  return declarationsOf(kind).customResource !== undefined && !classes.has(kind);
}

/** Mistakes that the manager reports only at its start, because only an operator with webhooks loads this check. */
function certificateMistakes({ webhookServer }: Operator): EvenkeelError[] {
  try {
    plannedCertificates(webhookServer);
    return [];
  } catch (error) {
    if (error instanceof EvenkeelError) return [error];
    throw error;
  }
}

import { EvenkeelError, type InversifyModule, messageOf } from '@evenkeel/core';
import { type Bind, Container, type ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import type { ServiceKey } from './injection.ts';
import { tellInversify } from './inversify-inject.ts';
import { isClass } from './services.ts';

/** A container that has loaded modules. */
export interface BoundModules {
  readonly container: Container;
  /** What the modules have bound. */
  readonly keys: ReadonlySet<ServiceKey>;
}

/** Loads modules into a new container, in their order. Throws `invalid-provider` if one throws. */
export async function loadModules(modules: readonly InversifyModule[]): Promise<BoundModules> {
  const container = new Container();
  const keys = new Set<ServiceKey>();
  for (const [index, module] of modules.entries()) {
    try {
      await container.loadAsync(noting(module as unknown as ContainerModule, keys));
    } catch (error) {
      const reason = messageOf(error);
      throw new EvenkeelError(
        'invalid-provider',
        `inversify module ${index + 1} of ${modules.length} in \`services\` failed while it was loaded: ${reason}; fix the function of the module`,
        { cause: error },
      );
    }
  }
  return { container, keys };
}

/** A module that notes what it binds. The container uses only these members of a module. */
function noting(module: ContainerModule, keys: Set<ServiceKey>): ContainerModule {
  return {
    id: module.id,
    load: (options: ContainerModuleLoadOptions) => {
      const bind: Bind = (key) => {
        keys.add(key as ServiceKey);
        const syntax = options.bind(key);
        const { to, toSelf } = syntax;
        // Inversify reads the decorators of a class when it is bound.
        syntax.to = (type) => {
          tellInversify(type);
          return to.call(syntax, type);
        };
        syntax.toSelf = () => {
          if (isClass(key)) tellInversify(key);
          return toSelf.call(syntax);
        };
        return syntax;
      };
      return module.load({ ...options, bind });
    },
  } as unknown as ContainerModule;
}

import { type Token, token } from '../declarations/token.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { Inject } from './inject.ts';

const url = token<string>('url');
const port = token<number>('port');

abstract class Store {
  abstract read(): string;
}
class FileStore extends Store {
  read(): string {
    return 'file';
  }
}

describe('@Inject', () => {
  it('records the service and the place of the parameter', () => {
    const late = () => url;
    class Site {
      constructor(@Inject(url) _url: string, _other: number, @Inject(Store) _store: Store) {}
      reconcile(_object: object, _context: object, @Inject(late) _url: string): void {}
    }
    expect(declarationsOf(Site).injects).toEqual(
      expect.arrayContaining([
        { service: url, method: undefined, parameter: 0 },
        { service: Store, method: undefined, parameter: 2 },
        { service: late, method: 'reconcile', parameter: 2 },
      ]),
    );
  });

  it('is checked by the compiler against the type of the parameter', () => {
    class Accepted {
      constructor(
        @Inject(url) readonly one: string,
        @Inject(url) readonly two: string | number,
        @Inject(FileStore) readonly three: Store,
        @Inject(() => port) readonly four?: number,
      ) {}
      run(@Inject(url) _url: string): void {}
    }
    class Rejected {
      constructor(
        // @ts-expect-error the token is of a string
        @Inject(url) readonly one: number,
        // @ts-expect-error an abstract class is not its subclass
        @Inject(Store) readonly two: { read(): number },
      ) {}
      // @ts-expect-error the token is of a number
      run(@Inject(port) _url: string): void {}
    }
    // @ts-expect-error tokens of different types differ
    const wrong: Token<number> = url;
    expect([Accepted, Rejected, wrong]).toHaveLength(3);
  });
});

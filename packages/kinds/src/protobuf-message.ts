import { requiredPackages } from './definition.ts';
import { messageModules } from './generated/protobuf/index.ts';

/** The field of a message with a certain number. */
export type MessageField = MemberField | { readonly inline: Message };

export interface MemberField {
  readonly property: string;
  /** Whether JSON omits the property if it is empty, zero or false. */
  readonly dropsZero: boolean;
}

/** A message's fields by number. */
export type Message = ReadonlyMap<number, MessageField>;

/**
 * A message in the generated modules: the numbers of its fields, negative for those that JSON omits if they are zero, and the
 * messages whose properties JSON writes into the outer object, as `@NUMBER`.
 */
interface MessageText {
  readonly [property: string]: number | MessageText;
}

// The cache needs no invalidation, because the files never change.
const loaded = new Map<string, Promise<ReadonlyMap<string, Message>>>();

/** Loads the messages of a definition package and of the packages that it needs, by the names of their definitions. */
export async function loadMessages(definitionPackage: string): Promise<ReadonlyMap<string, Message>> {
  const packages = [...requiredPackages(definitionPackage)].filter((name) => Object.hasOwn(messageModules, name));
  const messages = await Promise.all(packages.map((name) => messagesOf(name as keyof typeof messageModules)));
  return new Map(messages.flatMap((ofPackage) => [...ofPackage]));
}

function messagesOf(definitionPackage: keyof typeof messageModules): Promise<ReadonlyMap<string, Message>> {
  let promise = loaded.get(definitionPackage);
  if (promise === undefined) {
    promise = messageModules[definitionPackage]().then(({ messages }) => {
      const texts = Object.entries(JSON.parse(messages) as Record<string, MessageText>);
      return new Map(texts.map(([name, text]) => [name, messageOf(text)]));
    });
    loaded.set(definitionPackage, promise);
  }
  return promise;
}

function messageOf(text: MessageText): Message {
  const message = new Map<number, MessageField>();
  for (const [property, number] of Object.entries(text)) {
    if (typeof number === 'number') message.set(Math.abs(number), { property, dropsZero: number < 0 });
    else message.set(Number(property.slice(1)), { inline: messageOf(number) });
  }
  return message;
}

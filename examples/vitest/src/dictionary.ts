import { Logger } from 'evenkeel';
import { injectable } from 'inversify';

const words = { en: 'Hello', fr: 'Bonjour' };

/** Translates. Evenkeel injects it by the type of the constructor's parameter. */
@injectable()
export class Dictionary {
  constructor(private readonly logger: Logger) {}

  hello(language: 'en' | 'fr'): string {
    this.logger.debug('translated', { language });
    return words[language];
  }
}

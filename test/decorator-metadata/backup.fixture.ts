import { IsString } from 'class-validator';

export type Schedule = 'hourly' | 'daily';

/** Where copies go. */
export class Backup {
  @IsString()
  bucket!: string;
}

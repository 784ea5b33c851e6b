import { IsInt, IsLatitude, IsLatLong, IsLongitude, IsNumber, IsString } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { numbersNear, oneOf, textsNear } from '../random-value.fixture.ts';

const latitude = /[+-]?(90(\.0+)?|[1-8]?\d(\.\d+)?)/.source;
const longitude = /\s?[+-]?(180(\.0+)?|1[0-7]\d(\.\d+)?|\d{1,2}(\.\d+)?)/.source;
const pair = `(${latitude},${longitude}|\\(${latitude},${longitude}\\))(,.*)?`;
const near = (...sources: readonly string[]) => oneOf(...sources.map((source) => textsNear(matchOf(RegExp(source)))));

/** Cases of coordinates.ts. */
export const coordinateCases = [
  ...casesOf('isLatLong', ['@IsLatLong()', [IsLatLong()], near(pair)]),
  ...casesOf(
    'isLatitude',
    ['@IsLatitude() @IsString()', [IsLatitude(), IsString()], near(latitude, pair)],
    ['@IsLatitude() @IsNumber()', [IsLatitude(), IsNumber()], numbersNear(0, 90, 89.5, 1e-6, 1e-7)],
    ['@IsLatitude() @IsInt()', [IsLatitude(), IsInt()], numbersNear(0, 90)],
  ),
  ...casesOf(
    'isLongitude',
    ['@IsLongitude() @IsString()', [IsLongitude(), IsString()], near(longitude, `${longitude},.*`)],
    ['@IsLongitude() @IsNumber()', [IsLongitude(), IsNumber()], numbersNear(0, 180, 179.5, 1e-6, 1e-7)],
  ),
];

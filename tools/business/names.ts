import type { Currency } from './plans.ts'

/** The customers of the demo business. All names are invented. */

interface Market {
  readonly country: string
  readonly currency: Currency
  readonly companies: readonly string[]
  readonly people: readonly string[]
}

export const markets: readonly Market[] = [
  {
    country: 'DE',
    currency: 'EUR',
    companies: [
      'Birkenfeld Gartenbau',
      'Möwe & Söhne Bootsbau',
      'Lindenhof Verlag',
      'Kaltwasser Apotheken',
      'Grünspan Energie',
      'Werkhalle Neun',
      'Silberbach Optik',
      'Tiefenrausch Tauchreisen',
      'Hafenkontor Spedition',
      'Obstkiste Lieferdienst',
      'Zweirad Zapf',
      'Fuchsbau Spielwaren',
      'Morgenrot Bäckereien',
      'Sternwarte Software',
      'Klangwerk Akustik',
      'Feldweg Architekten',
      'Salzwiese Naturkost',
      'Turmfalke Sicherheit',
      'Rosenquarz Kosmetik',
      'Nebelhorn Reederei',
    ],
    people: [
      'Jana Ostermeier',
      'Till Kranzbühler',
      'Meryem Aksoylu',
      'Konrad Wiesengrund',
      'Hedda Uhlenbrook',
    ],
  },
  {
    country: 'AT',
    currency: 'EUR',
    companies: [
      'Almrausch Hotels',
      'Donauknie Logistik',
      'Zirbenholz Möbel',
      'Murtal Messtechnik',
      'Steinadler Alpinsport',
    ],
    people: ['Leopold Hinterbichler', 'Vroni Sandgruber'],
  },
  {
    country: 'FR',
    currency: 'EUR',
    companies: [
      'Atelier Sauvageon',
      'Librairie du Quai Vert',
      'Boulangeries Tournesol',
      'Cabinet Delacroisette',
      'Vélos Mistraline',
      'Les Ruches Dorées',
      'Studio Paupiette',
      'Clinique des Tilleuls',
      'Transports Vallombreuse',
      'Maison Chataigneraie',
    ],
    people: ['Élodie Marchandeau', 'Bastien Corvaisier', 'Noémie Lefaucheux', 'Hugo Brancheraie'],
  },
  {
    country: 'NL',
    currency: 'EUR',
    companies: [
      'Windmolen Data',
      'Grachtenpand Beheer',
      'Tulpenveld Kwekerij',
      'Fietsfabriek Zuid',
      'Polder & Dijk Advies',
      'Bakkerij Stroopbaan',
      'Duinroos Hotels',
      'Zeewind Rederij',
    ],
    people: ['Sjoerd van Weldam', 'Femke Brouwerhuis'],
  },
  {
    country: 'ES',
    currency: 'EUR',
    companies: [
      'Naranjal Exportaciones',
      'Talleres Quiñonera',
      'Clínica Altamarena',
      'Bodegas Piedraluz',
      'Editorial Caracola',
    ],
    people: ['Íñigo Valdearcos', 'Lucía Monteagudo', 'Ramón Esparceda'],
  },
  {
    country: 'IT',
    currency: 'EUR',
    companies: [
      'Officina Girasole',
      'Pastificio Montelupo',
      'Studio Legale Acquaviva',
      'Ceramiche Rondinella',
      'Vivai Fontechiara',
    ],
    people: ['Chiara Bellosguardo', 'Tommaso Pratolungo'],
  },
  {
    country: 'IE',
    currency: 'EUR',
    companies: ['Clover & Tide Seafood', 'Liffeyside Legal', 'Bogcotton Outdoor', 'Harp & Anchor Events'],
    people: ['Aoife Kilbrannan'],
  },
  {
    country: 'SE',
    currency: 'EUR',
    companies: ['Björkö Möbler', 'Norrsken Tält', 'Snöflinga Resor', 'Tallkotte Förlag'],
    people: ['Åsa Lindgrensson'],
  },
  {
    country: 'US',
    currency: 'USD',
    companies: [
      'Copper Kettle Roasters',
      'Blue Heron Dental',
      'Prairie Lantern Books',
      'Tallgrass Robotics',
      'Juniper & Slate Interiors',
      'Lighthouse Point Clinics',
      'Red Barn Provisions',
      'Sawtooth Climbing',
      'Magnolia Freight',
      'Fifth Street Ceramics',
      'Osprey Field Software',
      'Wild Fern Florists',
      'Harbor Mill Textiles',
      'Quarry Lane Fitness',
      'Silver Birch Pediatrics',
    ],
    people: [
      'Marcus Ellingsworth',
      'Priya Ravenscroft',
      'Dana Whitlocke',
      'Theo Castellanoz',
      'Nora Bluestone',
    ],
  },
  {
    country: 'CA',
    currency: 'USD',
    companies: [
      'Maple Harbour Foods',
      'Tundra Loop Media',
      'Saint-Aurèle Menuiserie',
      'Cedar Strait Marine',
      'Northlight Optics',
    ],
    people: ['Geneviève Tremblette', 'Owen Harcastle'],
  },
  {
    country: 'GB',
    currency: 'USD',
    companies: [
      'Thistle & Wren Tailors',
      'Cobblestone Tours',
      'Puddlewick Nurseries',
      'Brackenfell Surveyors',
      'Saffron Hill Catering',
    ],
    people: ['Imogen Fairweather', 'Rhys Penhallick'],
  },
  {
    country: 'JP',
    currency: 'JPY',
    companies: [
      'Aozora Shokuhin',
      'Hoshizuki Design',
      'Kawanami Seisakusho',
      'Minori Bookstore',
      'Shiratori Clinic',
      'Tsubaki Kogei',
      'Yamabiko Travel',
      'Matsukaze Audio',
      'Momiji Ryokan',
      'Kogane Foods',
    ],
    people: ['Haruka Mizushima', 'Kenji Toyonaga', 'Aya Shinohara'],
  },
]

/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', æ: 'ae' }

/** `separator` replaces all characters except lower-case ASCII letters and digits. */
const asciiName = (name: string, separator: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[ßøæ]/g, (letter) => LETTERS[letter]!)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, separator)

/** In the reserved top-level domain `example`. */
export const personAddress = (name: string): string => `${asciiName(name, '.')}@mail.example`

export const companyAddress = (name: string): string => `billing@${asciiName(name, '-')}.example`

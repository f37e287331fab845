import { SignIn } from '../../../console/views/sign-in.tsx'
import { textOf } from './rendered.tsx'

const filledIn = { appId: 'app_1', apiKey: 'bdk_1' }

const signIn = (props: Partial<Parameters<typeof SignIn>[0]>) =>
  textOf(
    <SignIn
      filledIn={{}}
      wantedAppId={undefined}
      otherAppId={undefined}
      reason={undefined}
      onSignedIn={() => undefined}
      {...props}
    />,
  )

const ADDRESS = 'This address belongs to the application app_2'
const LINK = 'To the application that this page can open'

it.each<{ title: string; props: Parameters<typeof signIn>[0]; texts: string[]; without: string[] }>([
  {
    title: 'asks for the credentials',
    props: {},
    texts: ['Sign in', 'Application id', 'API key'],
    without: [ADDRESS],
  },
  {
    title: 'uses the credentials that the page has filled in',
    props: { filledIn },
    texts: ['Signing in …'],
    without: ['API key'],
  },
  {
    title: 'uses them for an address of their application',
    props: { filledIn, wantedAppId: 'app_1' },
    texts: ['Signing in …'],
    without: [ADDRESS],
  },
  {
    title: 'names the other application of an address, and leads to the one that the page can open',
    props: { filledIn, wantedAppId: 'app_2', otherAppId: 'app_1' },
    texts: [ADDRESS, LINK],
    without: ['Signing in'],
  },
  {
    title: 'leads nowhere from the address of an application if the page can open no other',
    props: { wantedAppId: 'app_2', otherAppId: 'app_2' },
    texts: [ADDRESS],
    without: [LINK],
  },
  {
    title: 'says why the session has ended, and does not sign in again by itself',
    props: { filledIn, reason: new Error('The key was revoked.') },
    texts: ['The key was revoked.', 'API key'],
    without: ['Signing in'],
  },
])('the sign-in $title', ({ props, texts, without }) => {
  const text = signIn(props)
  for (const part of texts) expect(text).toContain(part)
  for (const part of without) expect(text).not.toContain(part)
})

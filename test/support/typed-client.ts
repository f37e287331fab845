import { type Client, createClient } from '../../client/index.ts'
import { newClient } from './service.ts'

/** The published client, with the credentials of a new application on this test file's service. */
export const newTypedClient = async (): Promise<Client> => {
  const { baseUrl, credentials } = await newClient()
  return createClient({ baseUrl, appId: credentials.app_id, apiKey: credentials.api_key })
}

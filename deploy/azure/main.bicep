// A Consumer in one region and a Producer in another, in a resource group of their own; docs/clouds.md has the way.
targetScope = 'subscription'

@description('The resource group, which is made.')
param group string = 'redis-latency'

@description('Regions of the Consumer and of the Producer.')
@minLength(2)
@maxLength(2)
param regions string[]

@description('The server, as both regions reach it: rediss://USER@HOST:PORT.')
param redis string

@description('Its password; empty for none.')
@secure()
param password string = ''

@description('Where the archive of deploy/archives is, for machines to download.')
param archive string

@description('SHA-256 of the archive, in hexadecimal.')
@minLength(64)
@maxLength(64)
param archiveSha256 string

@description('Who may log in: a range of addresses (CIDR).')
param sshFrom string

@description('By which SSH key.')
param sshKey string

@description('Name of the run.')
param run string = 'pair'

@description('Further options of the Producer.')
param options string = '--duration=5m --rate=200'

@description('Size of the machines: one with accelerated networking, and a processor to spare.')
param size string = 'Standard_D4s_v5'

resource place 'Microsoft.Resources/resourceGroups@2024-11-01' = {
  name: group
  location: regions[0]
}

module pair 'pair.bicep' = {
  scope: place
  params: {
    regions: regions
    redis: redis
    password: password
    archive: archive
    archiveSha256: archiveSha256
    sshFrom: sshFrom
    sshKey: sshKey
    run: run
    options: options
    size: size
  }
}

@description('Public addresses of the Consumer and of the Producer.')
output addresses string[] = pair.outputs.addresses

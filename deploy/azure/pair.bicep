// Both machines, each in a network of its own; the networks are peered, so clocks are probed on private addresses.
param regions string[]
param redis string
@secure()
param password string
param archive string
param archiveSha256 string
param sshFrom string
param sshKey string
param run string
param options string
param size string
param user string = 'ubuntu'

var roles = ['consumer', 'producer']
var networks = ['10.71.0.0/24', '10.71.1.0/24']
// Azure keeps the first three for itself.
var consumer = cidrHost(networks[0], 3)
var commands = [
  'consumer --probe=udp://0.0.0.0:7777'
  'producer --consumer=required --probe=udp://${consumer}:7777 ${options}'
]

var common = {
  Packages: '[chrony]'
  // The host's clock. Microsoft keeps its hosts within 1 ms of UTC, half of this delay; chrony would take it for exact.
  Clock: 'refclock PHC /dev/ptp_hyperv poll 3 dpoll -2 offset 0 delay 0.002'
  Redis: redis
  Run: run
  Archive: archive
  ArchiveSha256: archiveSha256
  // None: it comes by the run command below, as a machine keeps all that is given to cloud-init.
  Password: 'echo'
}

resource guards 'Microsoft.Network/networkSecurityGroups@2024-05-01' = [
  for (role, i) in roles: {
    name: role
    location: regions[i]
    properties: {
      securityRules: [
        {
          name: 'ssh'
          properties: {
            priority: 100
            direction: 'Inbound'
            access: 'Allow'
            protocol: 'Tcp'
            sourceAddressPrefix: sshFrom
            sourcePortRange: '*'
            destinationAddressPrefix: '*'
            destinationPortRange: '22'
          }
        }
        {
          name: 'probes-of-clocks'
          properties: {
            priority: 110
            direction: 'Inbound'
            access: 'Allow'
            protocol: 'Udp'
            sourceAddressPrefix: networks[1 - i]
            sourcePortRange: '*'
            destinationAddressPrefix: '*'
            destinationPortRange: '7777'
          }
        }
        // Or else Azure's own rules let all in that comes from the other network.
        {
          name: 'nothing-else'
          properties: {
            priority: 4096
            direction: 'Inbound'
            access: 'Deny'
            protocol: '*'
            sourceAddressPrefix: '*'
            sourcePortRange: '*'
            destinationAddressPrefix: '*'
            destinationPortRange: '*'
          }
        }
      ]
    }
  }
]

resource places 'Microsoft.Network/virtualNetworks@2024-05-01' = [
  for (role, i) in roles: {
    name: role
    location: regions[i]
    properties: {
      addressSpace: { addressPrefixes: [networks[i]] }
      subnets: [
        {
          name: 'machines'
          properties: {
            addressPrefix: networks[i]
            networkSecurityGroup: { id: guards[i].id }
          }
        }
      ]
    }
  }
]

resource peerings 'Microsoft.Network/virtualNetworks/virtualNetworkPeerings@2024-05-01' = [
  for i in range(0, 2): {
    parent: places[i]
    name: 'other'
    properties: {
      remoteVirtualNetwork: { id: places[1 - i].id }
      allowVirtualNetworkAccess: true
    }
  }
]

resource addresses 'Microsoft.Network/publicIPAddresses@2024-05-01' = [
  for (role, i) in roles: {
    name: role
    location: regions[i]
    sku: { name: 'Standard' }
    properties: { publicIPAllocationMethod: 'Static' }
  }
]

resource cards 'Microsoft.Network/networkInterfaces@2024-05-01' = [
  for (role, i) in roles: {
    name: role
    location: regions[i]
    properties: {
      enableAcceleratedNetworking: true
      ipConfigurations: [
        {
          name: 'address'
          properties: {
            subnet: { id: places[i].properties.subnets[0].id }
            privateIPAllocationMethod: 'Static'
            privateIPAddress: cidrHost(networks[i], 3)
            publicIPAddress: { id: addresses[i].id }
          }
        }
      ]
    }
  }
]

resource machines 'Microsoft.Compute/virtualMachines@2024-07-01' = [
  for (role, i) in roles: {
    name: role
    location: regions[i]
    properties: {
      hardwareProfile: { vmSize: size }
      storageProfile: {
        imageReference: {
          publisher: 'Canonical'
          offer: 'ubuntu-24_04-lts'
          sku: 'server'
          version: 'latest'
        }
        osDisk: {
          createOption: 'FromImage'
          managedDisk: { storageAccountType: 'Premium_LRS' }
        }
      }
      networkProfile: { networkInterfaces: [{ id: cards[i].id }] }
      osProfile: {
        computerName: role
        adminUsername: user
        linuxConfiguration: {
          disablePasswordAuthentication: true
          ssh: { publicKeys: [{ path: '/home/${user}/.ssh/authorized_keys', keyData: sshKey }] }
        }
        customData: base64(reduce(
          items(union(common, { Role: role, Region: regions[i], Command: commands[i] })),
          loadTextContent('../clouds/cloud-init.yaml'),
          (text, one) => replace(text, '\${${one.key}}', one.value)
        ))
      }
    }
  }
]

// Its parameter reaches the script encrypted, in a variable of its environment.
resource secrets 'Microsoft.Compute/virtualMachines/runCommands@2024-07-01' = [
  for (role, i) in roles: if (!empty(password)) {
    parent: machines[i]
    name: 'password'
    location: regions[i]
    properties: {
      source: {
        script: $'''
          cloud-init status --wait >/dev/null
          umask 077
          printf '%s\n' "$PASSWORD" >/etc/redis-latency/${role}.password
          systemctl restart --no-block redis-latency@${role}
          '''
      }
      protectedParameters: [{ name: 'PASSWORD', value: password }]
      treatFailureAsDeploymentFailure: true
    }
  }
]

output addresses string[] = [for i in range(0, 2): addresses[i].properties.ipAddress]

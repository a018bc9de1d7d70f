using 'main.bicep'

param regions = ['eastus', 'westeurope']
param redis = 'rediss://cache.example:6380'
param password = readEnvironmentVariable('REDIS_PASSWORD', '')
param archive = 'https://files.example/redis-latency-linux-x64.tar.gz'
param archiveSha256 = '0000000000000000000000000000000000000000000000000000000000000000'
param sshFrom = '203.0.113.0/24'
param sshKey = readEnvironmentVariable('SSH_KEY', 'ssh-ed25519 AAAA')
param options = '--duration=5m --rate=200 --floor-distance=5500km'

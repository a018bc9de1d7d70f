namespace RedisLatency.Lab.Worlds;

/// <summary>What all worlds share.</summary>
/// <param name="Producer">The program that measures.</param>
/// <param name="Consumer">The program that answers.</param>
/// <param name="Namespaces">How a clock is put ahead.</param>
/// <param name="Redis">A server to use, <c>host:port</c>; null for one of the Lab's own in each world.</param>
/// <param name="Folder">Where results are put.</param>
internal sealed record WorldSurroundings(
    ServiceProgram Producer, ServiceProgram Consumer, TimeNamespace Namespaces, string? Redis, string Folder);

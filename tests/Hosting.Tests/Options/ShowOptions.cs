using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.Tests.Options;

internal sealed class ShowOptions
{
    public string Folder { get; set; } = "";

    public OutputOptions Output { get; } = new();
}

using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Hosting.Tests.CommandLine;

internal sealed class ShowOptions
{
    public string Folder { get; set; } = "";

    public OutputOptions Output { get; } = new();
}

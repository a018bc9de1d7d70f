using RedisLatency.Hosting.Running;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>Gives commands, has something happen once they are applied, and gives the others.</summary>
internal sealed class GivenInTwo(IEnumerable<string> first, string[] second, Action between) : ISyncReader
{
    public bool EndsWithOneValue { get; init; }

    public string Name => "given";

    public string? Missing => null;

    public ReaderProgress Progress => new("giving");

    public void Read(ISyncSink sink, IStopToken stop)
    {
        new GivenCommands([.. first]).Read(sink, stop);
        between();
        new GivenCommands(second) { AreOneValue = EndsWithOneValue }.Read(sink, stop);
    }

    public void Dispose()
    {
    }
}

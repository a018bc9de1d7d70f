using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>
/// A source that has these commands: MULTI and EXEC are those of a transaction, SELECT changes the database.
/// </summary>
internal sealed class GivenCommands(params string[] commands) : ISyncReader
{
    // Then they are the parts of a key's value.
    public bool AreOneValue { get; init; }

    public string Name => "given";

    public string? Missing => null;

    public ReaderProgress Progress => new("giving");

    public void Read(ISyncSink sink, IStopToken stop)
    {
        var batch = new SyncBatch();
        var frames = new CommandFrames();
        var request = new RespWriter();
        var (database, offset) = (0, Math.Max(sink.AppliedOffset, 0));
        foreach (var command in commands)
        {
            var words = command.Split(' ');
            request.Clear();
            request.WriteRequest(words);
            offset += request.Length;
            switch (words[0])
            {
                case "SELECT":
                    database = int.Parse(words[1], System.Globalization.CultureInfo.InvariantCulture);
                    break;
                case "MULTI":
                    batch.BeginTransaction(1);
                    break;
                case "EXEC":
                    batch.EndTransaction();
                    batch.Offset = offset;
                    sink.Pass(batch);
                    break;
                default:
                    frames.TryRead(request.Written, out var frame).ShouldBeTrue();
                    ref var entry = ref batch.AddCommand(frame, frames.Words, database, offset);
                    if (AreOneValue)
                    {
                        (entry.Value, entry.Part) = (
                            1, command == commands[0] ? ValuePart.First
                                : command == commands[^1] ? ValuePart.Last : ValuePart.Middle);
                    }

                    break;
            }

            if (!batch.IsInTransaction && !batch.IsEmpty)
                sink.Pass(batch);
        }

        sink.AwaitApplied();
        sink.AppliedOffset.ShouldBe(offset);
    }

    public void Dispose()
    {
    }
}

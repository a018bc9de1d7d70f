using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Tests.Commands;

public sealed class CommandTableTests
{
    [Theory]
    [InlineData("set k v", CommandOutcome.Applied)]
    [InlineData("SELECT 1", CommandOutcome.Applied)]
    [InlineData("PFCOUNT k", CommandOutcome.Applied)]
    [InlineData("SCRIPT LOAD x", CommandOutcome.Applied)]
    [InlineData("xgroup create k g 0", CommandOutcome.Applied)]
    [InlineData("VADD k VALUES 1 1 e", CommandOutcome.Applied)]
    [InlineData("BRPOPLPUSH k l 0", CommandOutcome.Applied)]
    [InlineData("BLPOP k 0", CommandOutcome.Refused)]
    [InlineData("XREADGROUP GROUP g c STREAMS k >", CommandOutcome.Refused)]
    [InlineData("MIGRATE h 1 k 0 1", CommandOutcome.Refused)]
    [InlineData("DISCARD", CommandOutcome.Refused)]
    [InlineData("GET k", CommandOutcome.Skipped)]
    [InlineData("CONFIG SET x y", CommandOutcome.Skipped)]
    [InlineData("FUNCTION LIST", CommandOutcome.Skipped)]
    [InlineData("XGROUP HELP", CommandOutcome.Skipped)]
    [InlineData("PFDEBUG GETREG k", CommandOutcome.Skipped)]
    [InlineData("XGROUP NEW k", null)]
    [InlineData("NEW k", null)]
    public void Fate_OfACommand_IsThatOfWhatItMeans(string line, object? expected)
    {
        var (batch, request) = (new SyncBatch(), new RespWriter());
        request.WriteRequest(line.Split(' '));

        var entry = batch.AddCommand(request.Written, new CommandFrames(), database: 0);

        new CommandTable().Find(batch, entry)?.Outcome.ShouldBe((CommandOutcome)expected!);
        (new CommandTable().Find(batch, entry) is null).ShouldBe(expected is null);
    }
}

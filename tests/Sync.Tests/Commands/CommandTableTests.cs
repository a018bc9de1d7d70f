using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Tests.Commands;

public sealed class CommandTableTests
{
    [Theory]
    [InlineData("set k v", CommandFate.CarriedOut)]
    [InlineData("SELECT 1", CommandFate.CarriedOut)]
    [InlineData("PFCOUNT k", CommandFate.CarriedOut)]
    [InlineData("SCRIPT LOAD x", CommandFate.CarriedOut)]
    [InlineData("xgroup create k g 0", CommandFate.CarriedOut)]
    [InlineData("VADD k VALUES 1 1 e", CommandFate.CarriedOut)]
    [InlineData("BRPOPLPUSH k l 0", CommandFate.CarriedOut)]
    [InlineData("BLPOP k 0", CommandFate.Refused)]
    [InlineData("XREADGROUP GROUP g c STREAMS k >", CommandFate.Refused)]
    [InlineData("MIGRATE h 1 k 0 1", CommandFate.Refused)]
    [InlineData("DISCARD", CommandFate.Refused)]
    [InlineData("GET k", CommandFate.LeftOut)]
    [InlineData("CONFIG SET x y", CommandFate.LeftOut)]
    [InlineData("FUNCTION LIST", CommandFate.LeftOut)]
    [InlineData("XGROUP HELP", CommandFate.LeftOut)]
    [InlineData("PFDEBUG GETREG k", CommandFate.LeftOut)]
    [InlineData("XGROUP NEW k", null)]
    [InlineData("NEW k", null)]
    public void Fate_OfACommand_IsThatOfWhatItMeans(string line, object? expected)
    {
        var (batch, request) = (new SyncBatch(), new RespWriter());
        request.WriteRequest(line.Split(' '));

        var entry = batch.AddCommand(request.Written, new CommandFrames(), database: 0);

        new CommandTable().Find(batch, entry)?.Fate.ShouldBe((CommandFate)expected!);
        (new CommandTable().Find(batch, entry) is null).ShouldBe(expected is null);
    }
}

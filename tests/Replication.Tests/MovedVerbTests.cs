using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests;

/// <summary>The synchroniser was part of this service; the tool still takes its verbs there.</summary>
public sealed class MovedVerbTests
{
    [Theory]
    [InlineData("sync")]
    [InlineData("scan")]
    [InlineData("rdb")]
    [InlineData("aof")]
    public async Task VerbOfTheSynchroniser_SaysWhereItIs(string verb)
    {
        await using var process = ServiceProcess.StartScript(
            "dotnet", BuiltProgram.AssemblyOf("Replication"), verb, "--source", "a:1");

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().TrimEnd().ShouldBe(
            $"{verb} belongs to the synchroniser: dotnet run -c Release --project src/Sync -- {verb}");
    }
}

using RedisLatency.Fixtures;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>A file that cannot be written is found before the load, or loses nothing but itself.</summary>
public class OutputFileTests : FrontEndTest
{
    private const string Memtier = "memtier -s 127.0.0.1 -p {port} -t 1 -c 1 -n 200 --hide-histogram";
    private const string Ycsb = "ycsb load redis -p redis.host=127.0.0.1 -p redis.port={port} -p recordcount=50";

    [Theory]
    [InlineData($"{Memtier} -o /none/out", "--out-file /none/out: ")]
    [InlineData($"{Memtier} --json-out-file /none/j.json", "--json-out-file /none/j.json: ")]
    [InlineData($"{Memtier} --hdr-file-prefix /none/h", "--hdr-file-prefix /none/h")]
    [InlineData($"{Ycsb} -p exportfile=/none/x", "-p exportfile /none/x: ")]
    [InlineData(
        $"{Ycsb} -p hdrhistogram.fileoutput=true -p hdrhistogram.output.path=/none/", "output.path /none/INSERT.hdr: ")]
    public async Task FileThatCannotBeOpened_IsRefusedBeforeTheLoad(string line, string problem)
    {
        var process = await Run(line, 2);

        process.Errors.ToString().ShouldContain(problem);
        process.Errors.ToString().ShouldNotContain("created...");
        Calls().ShouldBeEmpty();
    }

    [Theory]
    [InlineData($"{Memtier} -x 2 -o /dev/full --json-out-file j.json", "BEST RUN RESULTS")]
    [InlineData($"{Memtier} --json-out-file /dev/full", "ALL STATS")]
    [InlineData($"{Ycsb} -p exportfile=/dev/full", "[INSERT], Return=OK, 50")]
    public async Task FileOnAFullDisk_LosesNothingButItself(string line, string printed)
    {
        var process = await Run(line, 6);

        process.Output.Lines.ShouldContain(printed);
        process.Errors.Lines.ShouldContain(
            text => text.StartsWith("ERROR: /dev/full is not whole: ", StringComparison.Ordinal));
        if (line.Contains("j.json", StringComparison.Ordinal))
            File.ReadAllText(Path.Combine(process.Folder, "j.json")).ShouldContain("BEST RUN RESULTS");
    }

    [Fact]
    public async Task FileThatWasThereBefore_IsReplaced()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "1", "-n", "200", "-o", "out",
            "--hide-histogram");
        File.WriteAllText(Path.Combine(process.Folder, "out"), new string('x', 100_000));

        (await process.End()).ShouldBe(0, process.ToString());

        File.ReadAllText(Path.Combine(process.Folder, "out")).ShouldNotContain("xxx");
        process.Output.Lines.ShouldBeEmpty();
    }
}

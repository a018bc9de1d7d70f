using System.Globalization;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Matrix;

/// <summary>The table of regions, made of runs that were really done.</summary>
public sealed class MatrixTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redislatency-matrix-").FullName;

    [Fact]
    public async Task Table_OfSavedRuns_HasTheFiguresOfEachPairAndPutsRunsOfOneTogether()
    {
        var first = await Measure("beijing", "Shanghai");
        var second = await Measure("Beijing", "shanghai");
        var other = await Measure("shanghai", "here");

        var json = JsonNode.Parse(await Print("--format", "json", "--reference", "global-replica"))!;

        var pairs = json["pairs"]!.AsArray();
        pairs.Select(pair => $"{pair!["source"]}-{pair["destination"]}".ToUpperInvariant()).ShouldBe(
        [
            "BEIJING-SHANGHAI", "BEIJING-SHENZHEN", "SHANGHAI-BEIJING", "SHANGHAI-HERE", "SHANGHAI-SHENZHEN",
            "SHENZHEN-BEIJING", "SHENZHEN-SHANGHAI",
        ]);
        var both = pairs[0]!;
        both["read"]!.GetValue<long>().ShouldBe(400);
        both["runs"]!.GetValue<int>().ShouldBe(2);
        both["least"]!["average"]!.GetValue<double>().ShouldBe((Least(first) + Least(second)) / 2, 1);
        both["least"]!["p95"].ShouldNotBeNull();
        both["measured"]!["p99"].ShouldBeNull("fewer than ten keys lie above it");
        both["published"]!["p99"]!.GetValue<double>().ShouldBe(54_500_000);
        pairs[1]!["measured"]!["average"].ShouldBeNull();
        pairs[3]!["least"]!["average"]!.GetValue<double>().ShouldBe(Least(other), 1);
        pairs[3]!["published"].ShouldBeNull();
    }

    [Fact]
    public async Task Table_OfFoldersOfOtherKindsToo_SkipsAndCountsThem()
    {
        await Measure("a", "b");
        var killed = Directory.CreateDirectory(Path.Combine(_folder, "0-killed")).FullName;
        var other = Directory.CreateDirectory(Path.Combine(_folder, "1-other")).FullName;
        var run = Directory.GetFiles(_folder, "run.json", SearchOption.AllDirectories).ShouldHaveSingleItem();
        var record = JsonNode.Parse(File.ReadAllText(run))!;
        record["summaries"]![0]!.AsObject().Remove("delay");
        File.WriteAllText(Path.Combine(other, "run.json"), record.ToJsonString());

        await using var process = ServiceProcess.Start(
            "Replication", "matrix", killed, other, _folder, "--format", "csv");

        (await process.End()).ShouldBe(0, process.ToString());
        process.Output.Lines[1].ShouldStartWith("a,b,");
        process.Errors.Lines.ShouldBe(["Skipped 3 of 4 folders: no run of delay or merged mesh."]);
    }

    [Fact]
    public async Task Table_OfARunNamedTwiceAndCopied_CountsItsKeysOnce_AndNamesTheCopies()
    {
        await Measure("a", "b");
        var run = Directory.GetDirectories(_folder).ShouldHaveSingleItem();
        var copy = Directory.CreateDirectory(Path.Combine(_folder, "copy")).FullName;
        foreach (var file in Directory.GetFiles(run))
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));

        await using var process = ServiceProcess.Start("Replication", "matrix", run, run, run, run, _folder, "--format", "json");

        (await process.End()).ShouldBe(4, process.ToString());
        var row = JsonNode.Parse(process.Output.ToString())!["pairs"]!.AsArray().ShouldHaveSingleItem()!;
        row["runs"]!.GetValue<int>().ShouldBe(1);
        row["read"]!.GetValue<long>().ShouldBe(200);
        row["least"]!["p99"].ShouldBeNull("fewer than ten keys lie above it, however many copies there are");
        process.Errors.Lines.ShouldBe(new[] { run, run, run, run, copy }.Select(
            left => $"Skipped: {left}: this run, or a copy of it, is in it already"));
    }

    [Fact]
    public async Task Table_OfAPairWithKeysThatWereNotRead_DoesNotKnowWhatTheyCouldChange()
    {
        await Measure("a", "b");
        var file = Directory.GetFiles(_folder, "run.json", SearchOption.AllDirectories).ShouldHaveSingleItem();
        // Thirteen of a hundred.
        var record = JsonNode.Parse(File.ReadAllText(file))!;
        foreach (var count in record["summaries"]![0]!["metrics"]!.AsArray().Where(
            row => row!["name"]!.GetValue<string>() is "asked" or "sent"))
            count!["value"] = 230;
        File.WriteAllText(file, record.ToJsonString());

        var row = JsonNode.Parse(await Print("--format", "json"))!["pairs"]![0]!;

        row["notRead"]!.GetValue<long>().ShouldBe(30);
        foreach (var figures in (string[])["measured", "least", "most"])
        {
            foreach (var figure in (string[])["average", "p95", "p99"])
                row[figures]![figure].ShouldBeNull($"{figures} {figure}");
        }

        (await Print()).ShouldContain("missing: not known, because keys that were not read");
    }

    [Fact]
    public async Task Table_OfAPairOfTwoClocks_AddsTheirErrorToThatOfTheAverage()
    {
        await Measure("a", "b");
        var before = JsonNode.Parse(await Print("--format", "json"))!["pairs"]![0]!["averageError"]!.GetValue<double>();
        var file = Directory.GetFiles(_folder, "run.json", SearchOption.AllDirectories).ShouldHaveSingleItem();
        var record = JsonNode.Parse(File.ReadAllText(file))!;
        record["summaries"]![0]!["delay"]!["errorNs"] = 7_000_000;
        File.WriteAllText(file, record.ToJsonString());

        var row = JsonNode.Parse(await Print("--format", "json"))!["pairs"]![0]!;

        row["clockErrorNs"]!.GetValue<long>().ShouldBe(7_000_000);
        row["averageError"]!.GetValue<double>().ShouldBe(before + 7_000_000, 1);
        var error = (before / 1e6) + 7;
        var cells = (await Print()).Split('\n')[2].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        cells.ShouldContain(error.ToString("0.00", CultureInfo.InvariantCulture));
        var csv = (await Print("--format", "csv")).Split('\n').Select(line => line.Split(',')).ToArray();
        double.Parse(csv[1][Array.IndexOf(csv[0], "average_error_ms")], CultureInfo.InvariantCulture)
            .ShouldBe(error, 1e-5);
    }

    [Fact]
    public async Task Table_InEveryFormat_SaysTheSame()
    {
        var run = await Measure("a|b", "c");
        var average = Average(run);

        var text = await Print();
        text.Split('\n').ShouldAllBe(line => line.Length <= 80);
        text.Split('\n').Single(line => line.Contains("a|b → c", StringComparison.Ordinal)).ShouldContain(average);
        text.ShouldContain("few: fewer than ten keys");
        (await Print("--format", "markdown")).ShouldContain($"| a\\|b → c | {average} |");
        var rows = (await Print("--format", "csv")).Split('\n');
        rows[0].ShouldStartWith("source,destination,average_ms,p95_ms,p99_ms,");
        double.Parse(rows[1].Split(',')[5], CultureInfo.InvariantCulture).ShouldBe(Least(run) / 1e6, 1e-5);
    }

    [Fact]
    public async Task Table_OfLongNames_NumbersThemAndFitsThePage()
    {
        var (from, to) = ($"primary.{new string('a', 40)}:6379", $"replica.{new string('b', 50)}");
        var average = Average(await Measure(from, to));

        var lines = (await Print("--reference", "global-replica")).Split('\n');

        lines.ShouldAllBe(line => line.Length <= 80);
        lines.First(line => line.Contains("1 → 2", StringComparison.Ordinal)).ShouldContain(average);
        lines.ShouldContain($"  1: {from}");
        lines.ShouldContain($"  2: {to}");
        lines.ShouldContain("  3: beijing");
    }

    [Fact]
    public async Task Reference_Alone_IsPrintedAsItWasPublished()
    {
        await using var process = ServiceProcess.Start("Replication", "matrix", "--reference", "global-replica");

        (await process.End()).ShouldBe(0, process.ToString());

        process.Output.Lines[0].ShouldBe("PUBLISHED, ms");
        process.Output.Lines.ShouldContain("  shenzhen → beijing     34.20  69.50  103.00");
    }

    [Theory]
    [InlineData("name a folder that a run of delay or a merged mesh left behind")]
    [InlineData("no run of delay or merged mesh is in ", "EMPTY")]
    [InlineData("--reference mine: known are global-replica", "--reference", "mine")]
    [InlineData("no run record here", "EMPTY/not-there")]
    public async Task Start_WithNothingToPrint_IsRefused(string message, params string[] arguments)
    {
        await using var process = ServiceProcess.Start(
            "Replication",
            ["matrix", .. arguments.Select(word => word.Replace("EMPTY", _folder, StringComparison.Ordinal))]);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(message);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // As the table shows it: polls of a busy machine are far from each other.
    private static string Average(JsonNode run) => run.Series("delay")["mean"] is null
        ? $"{Milliseconds(Least(run))}..{Milliseconds(run.Mean("delay-upper"))}"
        : Milliseconds(run.Mean("delay"));

    private static string Milliseconds(double nanoseconds) =>
        (nanoseconds / 1e6).ToString("0.00", CultureInfo.InvariantCulture);

    private static double Least(JsonNode run) => run.Mean("delay-lower");

    private async Task<JsonNode> Measure(string source, string destination)
    {
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--source-region", source, "--destination-region", destination, "--keys", "200",
            "--rate", "500", "--warmup", "0", "--out", _folder, "--live", "none", "--format", "json");
        // A machine that is too busy makes the run invalid; its figures are what they are.
        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());
        return JsonNode.Parse(process.Output.ToString())!;
    }

    private async Task<string> Print(params string[] arguments)
    {
        await using var process = ServiceProcess.Start("Replication", ["matrix", _folder, .. arguments]);
        (await process.End()).ShouldBe(0, process.ToString());
        return process.Output.ToString();
    }
}

using System.Text;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Metrics.Tests.Results;

public sealed class ResultsFolderTests : IDisposable
{
    private static readonly DateTimeOffset Start = new(2026, 3, 1, 13, 5, 9, TimeSpan.FromHours(1));

    private readonly ScratchFolder _root = new();

    public void Dispose() => _root.Dispose();

    [Fact]
    public void Create_OfARun_NamesTheFolderAfterItsStartInUtcAndItsInstance()
    {
        var folder = Create("night", "eu-1");

        folder.Path.ShouldBe(_root.Combine("20260301-120509-night-eu-1"));
        Directory.Exists(folder.Path).ShouldBeTrue();
    }

    [Fact]
    public void Create_WhereTheNameIsTaken_CountsOn()
    {
        Create("night", "eu-1");
        File.WriteAllText(_root.Combine("20260301-120509-night-eu-1-2"), "a file of that name");

        Create("night", "eu-1").Path.ShouldEndWith("-night-eu-1-3");
    }

    [Fact]
    public void Create_ByManyAtOnce_GivesEachItsOwn()
    {
        var paths = new string[16];
        Parallel.For(0, paths.Length, i => paths[i] = Create("same", "same").Path);

        paths.Distinct().Count().ShouldBe(paths.Length);
    }

    [Theory]
    [InlineData("../../etc", "_.._etc")]
    [InlineData("..", "run")]
    [InlineData("", "run")]
    [InlineData("a/b\\c:d e", "a_b_c_d_e")]
    [InlineData(".hidden", "hidden")]
    [InlineData("nul\0\n", "nul__")]
    [InlineData("gr\u00fc\u00df", "gr__")]
    public void Create_OfARunWithAnyName_StaysInItsRoot(string run, string expected)
    {
        var folder = Create(run, "i");

        folder.Path.ShouldBe(_root.Combine($"20260301-120509-{expected}-i"));
    }

    [Fact]
    public void Create_OfARunWithAVeryLongName_CutsIt()
    {
        var folder = Create(new string('r', 5_000), new string('i', 5_000));

        Path.GetFileName(folder.Path).Length.ShouldBeLessThan(200);
    }

    [Fact]
    public void Create_OnUnix_LetsOnlyItsOwnerIn()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no file modes.");
            return;
        }

        File.GetUnixFileMode(Create("night", "eu-1").Path)
            .ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        var folder = Create("night", "eu-2");
        using var log = folder.CreateFile(ResultsFolder.IntervalLogName);
        File.GetUnixFileMode(Directory.GetFiles(folder.Path).Single())
            .ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite);
    }

    [Fact]
    public void Create_BelowAFile_SaysThatItCannotBeWrittenThere()
    {
        File.WriteAllText(_root.Combine("file"), "");

        var exception = Should.Throw<ResultsWriteException>(
            () => ResultsFolder.Create(_root.Combine("file"), Start, "night", "eu-1"));

        exception.Message.ShouldContain("results cannot be written here");
        exception.Message.ShouldStartWith(_root.Combine("file"));
        exception.Message.ShouldContain("--out");
    }

    [Theory]
    [InlineData("")]
    [InlineData("in\0valid")]
    public void Create_InARootThatIsNoPath_SaysSo(string root) =>
        Should.Throw<ResultsWriteException>(() => ResultsFolder.Create(root, Start, "night", "eu-1"));

    [Fact]
    public void WriteFile_OfAFile_LeavesItWholeAndNothingBesideIt()
    {
        var folder = Create("night", "eu-1");

        folder.WriteFile("a.json", "first"u8);
        folder.WriteFile("a.json", "second"u8);

        Directory.GetFileSystemEntries(folder.Path).ShouldBe([Path.Combine(folder.Path, "a.json")]);
        File.ReadAllText(Path.Combine(folder.Path, "a.json")).ShouldBe("second");
    }

    [Fact]
    public void CreateFile_WhileItIsWritten_CanBeReadLineByLineUnderItsPartialName()
    {
        var folder = Create("night", "eu-1");
        using var log = folder.CreateFile(ResultsFolder.IntervalLogName);

        log.Write("line 1\n"u8);

        var partial = ResultsFolder.Find(folder.Path, ResultsFolder.IntervalLogName).ShouldNotBeNull();
        partial.ShouldEndWith("latency.hlog.partial");
        ReadShared(partial).ShouldBe("line 1\n");
    }

    [Fact]
    public void CreateFile_ThatIsNeverCompleted_StaysPartial()
    {
        var folder = Create("night", "eu-1");
        using (var log = folder.CreateFile(ResultsFolder.IntervalLogName))
            log.Write("line 1\n"u8);

        ResultsFolder.Find(folder.Path, ResultsFolder.IntervalLogName)!.ShouldEndWith(".partial");
    }

    [Fact]
    public void Complete_OfAFile_GivesItItsName()
    {
        var folder = Create("night", "eu-1");
        using var log = folder.CreateFile(ResultsFolder.IntervalLogName);
        log.Write("line 1\n"u8);

        log.Complete();
        log.Complete();

        ResultsFolder.Find(folder.Path, ResultsFolder.IntervalLogName).ShouldBe(log.FinalPath);
        File.Exists(log.FinalPath + ResultsFileStream.PartialSuffix).ShouldBeFalse();
    }

    [Fact]
    public void Find_OfWhatIsNotThere_IsNull() =>
        ResultsFolder.Find(_root.Path, ResultsFolder.IntervalLogName).ShouldBeNull();

    [Theory]
    [InlineData("")]
    [InlineData("../run.json")]
    [InlineData("/etc/passwd")]
    [InlineData("..")]
    [InlineData("a\\b")]
    public void CreateFile_OfANameThatLeavesTheFolder_IsRefused(string name) =>
        Should.Throw<ArgumentException>(() => Create("night", "eu-1").CreateFile(name));

    [Fact]
    public void CreateFile_InAFolderThatIsGone_SaysThatItCannotBeWritten()
    {
        var folder = Create("night", "eu-1");
        Directory.Delete(folder.Path);

        Should.Throw<ResultsWriteException>(() => folder.CreateFile("run.json"))
            .Message.ShouldContain("results cannot be written here");
    }

    [Fact]
    public void Write_ToAFileWhoseFolderIsGone_SaysThatItCannotBeWritten()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "A folder of open files cannot be deleted there.");
        var folder = Create("night", "eu-1");
        using var log = folder.CreateFile(ResultsFolder.IntervalLogName);
        Directory.Delete(folder.Path, recursive: true);

        Should.Throw<ResultsWriteException>(() => log.Write("line 1\n"u8))
            .Message.ShouldContain("results cannot be written here");
    }

    [Fact]
    public void Write_WhereTheDiskIsFull_SaysSo()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "This system has no /dev/full.");
        var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        using var file = new ResultsFileStream(full, _root.Combine("run.json"));

        var exception = Should.Throw<ResultsWriteException>(() => file.Write("anything"u8));

        exception.Message.ShouldContain("no space left for results");
        exception.Message.ShouldContain("no space left");
    }

    private static string ReadShared(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd();
    }

    private ResultsFolder Create(string run, string instance) =>
        ResultsFolder.Create(_root.Path, Start, run, instance);
}

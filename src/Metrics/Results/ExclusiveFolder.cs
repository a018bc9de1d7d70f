using System.ComponentModel;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Results;

/// <summary>
/// A folder that was not there before, so that of two processes only one gets the name: the framework's own method is
/// content with a folder that is there already.
/// </summary>
internal static partial class ExclusiveFolder
{
    private const uint OwnerOnly = 0b111_000_000;
    private const int MayWrite = 2;
    private const int UnixExists = 17;
    private const int WindowsExists = 183;
    private const int WindowsErrorBase = unchecked((int)0x80070000);

    /// <summary>False where there is something of that name.</summary>
    /// <exception cref="IOException">It could not be made for another reason.</exception>
    public static bool TryCreate(string path)
    {
        var made = OperatingSystem.IsWindows() ? CreateDirectory(path, 0) : MakeDirectory(path, OwnerOnly) == 0;
        if (made)
            return true;
        var error = Marshal.GetLastPInvokeError();
        if (error == (OperatingSystem.IsWindows() ? WindowsExists : UnixExists))
            return false;
        throw Failure(error);
    }

    /// <summary>An open file takes what is written even where it will not get its name in the end.</summary>
    /// <exception cref="IOException">It is gone or read-only: no file in it can get a name.</exception>
    public static void RequireWritable(string path)
    {
        if (!OperatingSystem.IsWindows() && Access(path, MayWrite) != 0)
            throw Failure(Marshal.GetLastPInvokeError());
    }

    private static IOException Failure(int error) => new(
        new Win32Exception(error).Message, OperatingSystem.IsWindows() ? WindowsErrorBase | error : error);

    [LibraryImport("libc", EntryPoint = "mkdir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeDirectory(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "access", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Access(string path, int mode);

    [LibraryImport(
        "kernel32", EntryPoint = "CreateDirectoryW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CreateDirectory(string path, nint securityAttributes);
}

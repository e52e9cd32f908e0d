/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes: 0 is success, negative is failure, positive values are not used. */
#ifndef HEADGATE_STATUS_H
#define HEADGATE_STATUS_H

#if defined(_WIN32)
#error "Headgate needs a system with ELF shared objects"
#endif

/** Marks what an application may call; everything else is hidden. */
#if defined(__GNUC__)
#define HGATE_API __attribute__((visibility("default")))
#define HGATE_DEPRECATED(text) __attribute__((deprecated(text)))
#else
#define HGATE_API
#define HGATE_DEPRECATED(text)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a function of this library returns. The text for people is hgate_last_error(). */
enum hgate_status {
    HGATE_OK = 0,
    HGATE_EINVAL = -1,    /**< missing argument, unknown choice, options that exclude each other */
    HGATE_ESHAPE = -2,    /**< shape or rank of an array, or a size product that overflows */
    HGATE_EDTYPE = -3,    /**< element type of an array, or a mix that is not offered */
    HGATE_EDEVICE = -4,   /**< arrays or stream on different or wrong devices */
    HGATE_ESTRIDE = -5,   /**< array not contiguous in row-major order, or not aligned */
    HGATE_EOVERLAP = -6,  /**< an output shares memory with another argument */
    HGATE_EVALUE = -7,    /**< a number that cannot be: scalar or array element */
    HGATE_ENOMEM = -8,    /**< memory, on the host or a device */
    HGATE_ENOKERNEL = -9, /**< no kernel may serve this call; the message lists each refusal */
    HGATE_EUNAVAILABLE = -10, /**< a required plugin or feature is not usable here */
    HGATE_EDEVICE_BUSY = -11, /**< the device is taken for the moment */
    HGATE_EDEVICE_LOST = -12, /**< a device failed and stays unusable in this process */
    HGATE_ECONFIG = -13,      /**< wrong configuration; the message has file, line, column */
    HGATE_EPLUGIN = -14,      /**< a plugin broke its contract */
    HGATE_EABI = -15,         /**< a struct of another version was passed */
    HGATE_EFORK = -16,        /**< device work asked for in a forked child */
    HGATE_ESTATE = -17, /**< calls in the wrong order, or a graph capture that cannot be served */
    HGATE_EDISABLED = -18, /**< the operation is switched off */
    HGATE_ESTOPPED = -19,  /**< a callback asked to stop */
    HGATE_EINTERNAL = -20  /**< a fault of this library */
};

/** Name of a status, "HGATE_ESHAPE"; "HGATE_UNKNOWN" for other numbers. Static text. MT-Safe. */
HGATE_API const char *hgate_status_name(int status);

/** One line about a status; static text, also for unknown numbers. MT-Safe. */
HGATE_API const char *hgate_status_text(int status);

/** Message of the calling thread's last failed call: which argument, what was found, what was
 *  expected. Not cleared by success; "" before the first failure. Valid until the thread's next
 *  failure. MT-Safe. */
HGATE_API const char *hgate_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
